// A brain for Gomocup's protocol without Python: tengen's alpha-beta for Gomoku, Renju and Caro in one program. What the
// commands mean is in docs/gomocup.md, which this follows but for the extensions of Yixin-Board and settings.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "board.hpp"
#include "clock.hpp"
#include "core/gomoku/alphabeta.hpp"
#include "core/search/native.hpp"
#include "network.hpp"

namespace tengen::pbrain {

class Brain {
public:
    using Say = std::function<void(const std::string&)>;
    using Time = std::chrono::steady_clock::time_point;

    explicit Brain(Say say);
    // Act on one line; false ends the conversation.
    bool handle(const std::string& line, Time arrived);
    // From another thread. interrupt: the search in progress answers with what it has. leave: END has arrived.
    void interrupt();
    void leave();

private:
    using Reply = std::string (Brain::*)(const Request&);
    struct Command {
        const char* name;
        Reply reply;
        bool is_block = false, needs_board = true, needs_rule = true;
    };
    static const Command kCommands[];
    static const Command* find(const std::string& name);

    void execute(const Command& command, const Request& request);
    void inform(const std::string& rest);
    std::string about(const Request&);
    std::string start(const Request& request);
    std::string rect_start(const Request& request);
    std::string restart(const Request&);
    std::string begin(const Request&);
    std::string turn(const Request& request);
    std::string board(const Request&);
    std::string takeback(const Request& request);
    std::string play(const Request& request);
    std::string swap2(const Request&);

    std::string new_game(int width, int height);
    std::string answer();
    int choose(int colour);
    search::Report search(const State& state, const Budget& budget);
    Budget budget() const;

    Say say_;
    Clock clock_;
    search::NativeSearch<gomoku::AlphaBetaFamily> search_{"network", own_network()};
    gomoku::Rule rule_ = gomoku::Rule::kFreestyle;
    long long rule_number_ = 0;
    bool is_rule_known_ = true;
    std::optional<Board> board_;
    const Command* block_ = nullptr;
    Time block_arrived_, arrived_, moved_;
    std::vector<std::string> lines_;  // of the block

    std::mutex mutex_;  // of what follows
    search::StopToken stop_;
    bool is_thinking_ = false, is_left_ = false;
    Time thinking_since_;
};

}  // namespace tengen::pbrain
