// The end of games of Go in self-play (core/selfplay/ending.hpp): scored as they stand by area, as the search's own
// ends of games are (Tromp & Taylor), and early when every point is decided by unconditional life (benson.hpp).
//
// Rules that count otherwise are refused: without a way to play out what is disputed, the board as it stands says nothing
// of territory, and the search knows no taxes.
#pragma once

#include <algorithm>

#include "core/go/benson.hpp"
#include "core/go/score.hpp"
#include "core/go/state.hpp"
#include "core/selfplay/ending.hpp"

namespace tengen::selfplay {

template <int N>
struct EndingOf<go::State<N>> {
    using S = go::State<N>;

    static std::string refusal(const S& state) {
        if (state.rules().scoring == go::Scoring::kArea && state.rules().tax == go::Tax::kNone) return {};
        return "self-play needs rules that score areas without taxes";
    }
    static bool is_decided(const S& state) {
        const auto& board = state.board();
        const int stones = board.cells() - board.empty_count();
        if (5 * stones < board.cells()) return false;  // each empty point of a vital region touches a stone
        go::PointMap<N> owner;
        own(state, owner);
        bool is_all = true;
        for_each_point(board, [&](int p) { is_all = is_all && owner[static_cast<std::size_t>(p)] != go::kEmpty; });
        return is_all;
    }
    static float margin(const S& state, End end) {
        if (end != End::kDecided) return state.margin();
        int area = 0;
        for (const std::int8_t owner : owners(state, end)) area += owner;
        return static_cast<float>(area) - state.komi();
    }
    static std::vector<std::int8_t> owners(const S& state, End end) {
        go::PointMap<N> owner;
        if (end == End::kDecided)
            own(state, owner);
        else
            area_owners(state.board(), owner);
        std::vector<std::int8_t> out;
        for_each_point(state.board(), [&](int p) {
            const int stone = owner[static_cast<std::size_t>(p)];
            out.push_back(static_cast<std::int8_t>((stone == go::kBlack) - (stone == go::kWhite)));
        });
        return out;
    }

private:
    // The owner of each point that no play can change.
    static void own(const S& state, go::PointMap<N>& owner) {
        owner.fill(go::kEmpty);
        for (const int stone : {go::kBlack, go::kWhite}) {
            go::PointMap<N> alive;
            pass_alive(state.board(), stone, state.rules().suicide, alive);
            for (std::size_t p = 0; p < alive.size(); ++p)
                if (alive[p]) owner[p] = static_cast<std::uint8_t>(stone);
        }
    }
};

}  // namespace tengen::selfplay
