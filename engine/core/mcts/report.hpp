// The report of the tree: ranked lines, totals, ownership.
#pragma once

#include "core/mcts/search.hpp"

namespace tengen::mcts {

template <GameState S, LeafEvaluator<S> E>
std::vector<std::uint32_t> Search<S, E>::ranked(const Node& node, bool at_root) const {
    std::vector<std::uint32_t> order;
    if (!node.has_edges()) return order;
    struct Rank {
        int proof;
        std::uint32_t visits;
        double value;
    };
    const std::uint32_t begin = node.edges.load(std::memory_order_acquire);
    const int floor = floor_of(arena_, node, at_root ? &shared_.excluded : nullptr);
    std::vector<Rank> ranks(node.edge_count);  // read once: the workers go on meanwhile
    for (std::uint32_t i = begin; i < begin + node.edge_count; ++i) {
        const Edge& edge = arena_.edge(i);
        if (at_root && shared_.excluded[edge.move]) continue;
        order.push_back(i);
        Rank& rank = ranks[i - begin] = {0, 0, 0.5};
        if (const Node* below = arena_.below(edge)) {
            const Proof proof = below->proof.load(std::memory_order_relaxed);
            const bool is_behind = proof.high() <= floor && proof.low() < floor;
            rank = {proof.low() > 0 ? 1 : proof.high() < 0 || is_behind ? -1 : 0, below->visits.load(), below->mean()};
        }
        rank.value += 1e-3 * static_cast<double>(unpack(evaluator_, edge.prior).wins);
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Rank &x = ranks[a - begin], &y = ranks[b - begin];
        if (x.proof != y.proof) return x.proof > y.proof;
        if (x.visits != y.visits) return x.visits > y.visits;
        if (x.value != y.value) return x.value > y.value;
        return a < b;
    });
    if (at_root && !lead_by_rule(order)) lead_by_bound(order);
    return order;
}

// If the root has a rule that names the move, that move goes first, unless something is proved.
template <GameState S, LeafEvaluator<S> E>
bool Search<S, E>::lead_by_rule(std::vector<std::uint32_t>& order) const {
    if (!shared_.root_rule || order.empty()) return false;
    const std::uint32_t best = shared_.root_rule->best(arena_, root_node(), shared_.excluded);
    const auto at = std::find(order.begin(), order.end(), best);
    if (at == order.end()) return false;
    const Node* first = arena_.below(arena_.edge(order[0]));
    if (!first || first->proof.load().says_nothing()) std::rotate(order.begin(), at, at + 1);
    return true;
}

// The standard errors by which a bound is below a mean.
template <GameState S, LeafEvaluator<S> E>
double Search<S, E>::errors_of_bound() const {
    constexpr double kOfAnswers = 5;
    const auto* puct = std::get_if<PuctSettings>(&shared_.settings.rule);
    return puct && puct->lcb > 0 ? puct->lcb : kOfAnswers;
}

// The standard error of a mean of answers of a network, of which it is known how they scatter; few of them scatter as
// far as they can (KataGo's bound). square: the mean of their squares; widest: the square of how far one may be off.
inline double standard_error(const Spread& spread, double mean, double square, double widest) {
    const double n = std::max(1.0, static_cast<double>(spread.weight.load(std::memory_order_relaxed)));
    const double variance = std::max(0.0, square - mean * mean);
    // as one visit more, that weighs the less the more are known
    return std::sqrt((variance + widest / (n * n) / (n + 1 / (n * n))) / n);
}

// The lower bound of a move's chance to win.
template <GameState S, LeafEvaluator<S> E>
double Search<S, E>::lower_bound_of(const Node& node) const {
    constexpr double kOfPlayouts = 1.96, kWidest = 0.25;
    const double win = node.mean();
    const Spread* spread = arena_.spread(node);
    if (!spread)
        return std::max(
            0.0, win - kOfPlayouts * std::sqrt(std::max(win * (1 - win), 0.01) / std::max(node.visits.load(), 1u)));
    const double square = static_cast<double>(spread->square.load(std::memory_order_relaxed));
    return std::max(0.0, win - errors_of_bound() * standard_error(*spread, win, square, kWidest));
}

// The same of what is searched for, in which the lead counts too. In a game that is decided the chances hardly differ,
// and the leads do: without their error the move with the luckier few visits would be played. decided: from 0, when both
// sides have equal chances, to 1; so much of that error counts.
template <GameState S, LeafEvaluator<S> E>
double Search<S, E>::lower_utility_of(const PuctSettings& puct, const Node& node, double decided) const {
    const int player = shared_.state.to_move();
    float margin = node.margin.load();
    if (const Spread* spread = arena_.spread(node); spread && puct.has_points) {
        const double square = static_cast<double>(spread->margin_square.load(std::memory_order_relaxed));
        const double widest = static_cast<double>(puct.points) * static_cast<double>(puct.points);
        const double error = standard_error(*spread, static_cast<double>(margin), square, widest);
        margin += static_cast<float>(decided * errors_of_bound() * (player == 0 ? -error : error));
    }
    return with_lead(puct, lower_bound_of(node), margin, player);
}

// If the settings ask for it, the move with the best lower bound goes first, among the moves of the root with enough
// visits; in a game that is decided, only if it is better than the most visited move by more than the systematic error.
template <GameState S, LeafEvaluator<S> E>
void Search<S, E>::lead_by_bound(std::vector<std::uint32_t>& order) const {
    constexpr double kEnough = 0.15;      // of the most visits
    constexpr double kSystematic = 0.01;  // error that all answers below a move share: visits do not average it out
    const auto* puct = std::get_if<PuctSettings>(&shared_.settings.rule);
    if (!puct || puct->lcb == 0 || order.empty()) return;
    const Node* first = arena_.below(arena_.edge(order[0]));
    if (!first || !first->proof.load().says_nothing()) return;
    auto best = order.begin();
    const double win = first->mean(), decided = 1 - 4 * win * (1 - win);
    double most = lower_utility_of(*puct, *first, decided) + decided * kSystematic;
    for (auto at = best + 1; at != order.end(); ++at) {
        const Node* node = arena_.below(arena_.edge(*at));
        if (!node || !node->proof.load().says_nothing() || node->visits.load() < kEnough * first->visits.load())
            continue;
        if (const double bound = lower_utility_of(*puct, *node, decided); bound > most) {
            most = bound;
            best = at;
        }
    }
    std::rotate(order.begin(), best, best + 1);
}

// Dense moves of best play from an edge of the root on.
template <GameState S, LeafEvaluator<S> E>
std::vector<int> Search<S, E>::best_line(std::uint32_t edge) const {
    std::vector<int> line;
    S at = shared_.state;
    while (true) {
        line.push_back(at.to_dense(arena_.edge(edge).move));
        at.play(arena_.edge(edge).move);
        const Node* node = arena_.below(arena_.edge(edge));
        if (!node || line.size() >= 32 || at.is_terminal() || !node->has_edges()) return line;
        const auto replies = ranked(*node, false);
        const Node* next = replies.empty() ? nullptr : arena_.below(arena_.edge(replies[0]));
        if (!next || next->visits.load() == 0) return line;
        edge = replies[0];
    }
}

// The expected end of the game below a node; nothing if the evaluator has no such estimate. sign: 1 for player 0.
template <GameState S, LeafEvaluator<S> E>
std::optional<search::FinalScore> Search<S, E>::final_score_of(const Node& node, float sign) const {
    const Spread* spread = arena_.spread(node);
    const double square = spread ? static_cast<double>(spread->final_square.load(std::memory_order_relaxed)) : -1;
    if (square < 0) return std::nullopt;
    const double mean = static_cast<double>(spread->final_score.load(std::memory_order_relaxed));
    return search::FinalScore{static_cast<double>(sign * (static_cast<float>(mean) - shared_.facts.komi_shift)),
                              std::sqrt(std::max(0.0, square - mean * mean))};
}

template <GameState S, LeafEvaluator<S> E>
search::Report Search<S, E>::report(int max_lines, bool ownership) const {
    const std::shared_lock lock(tree_mutex_);
    search::Report out;
    const Node& root = root_node();
    const int player = shared_.state.to_move();
    const float sign = player == 0 ? 1.0f : -1.0f;
    const auto score_of = [&](const Node& node) {
        return static_cast<double>(sign * (node.margin.load() - shared_.facts.komi_shift));
    };
    out.to_move = player;
    out.visits = root.visits.load();
    out.playouts = playouts_.load();
    out.nodes = arena_.nodes();
    out.hashfull = static_cast<double>(arena_.used()) / static_cast<double>(arena_.capacity());
    out.seconds = running_ ? seconds() : last_seconds_;
    out.win = 1.0 - root.mean();  // the root's value is for the player who is not to move
    out.draw = static_cast<double>(root.draw.load());
    out.score = score_of(root);
    out.final_score = final_score_of(root, sign);
    double prior_total = 0;
    const auto order = ranked(root, true);
    const auto prior_of = [&](const Edge& edge) {
        const Prior prior = unpack(evaluator_, edge.prior);
        if constexpr (PolicyEvaluator<E>) return static_cast<double>(prior.wins);
        return static_cast<double>(prior.visits > 0 ? prior.wins / prior.visits : 1.0f);
    };
    for (std::uint32_t i : order) prior_total += prior_of(arena_.edge(i));
    // A run of one visit looks at nothing but the root: then every move is said, by its prior.
    const bool is_policy = PolicyEvaluator<E> && out.visits == 1 && (bounds_.visits == 1 || bounds_.playouts == 1);
    const int depth = static_cast<int>(std::lround(shared_.mean_depth())), seldepth = shared_.deepest.load();
    for (std::uint32_t i : order) {
        const Edge& edge = arena_.edge(i);
        const Node* node = arena_.below(edge);
        const std::uint32_t visits = node ? node->visits.load() : 0;
        if (max_lines && static_cast<int>(out.lines.size()) >= max_lines) break;
        if (visits == 0 && !out.lines.empty() && !is_policy) {
            if (AwaitedEvaluator<E>) continue;  // what is proved to lose comes behind these
            break;
        }
        search::Line line;
        line.move = shared_.state.to_dense(edge.move);
        line.visits = visits;
        line.prior = prior_total > 0 ? prior_of(edge) / prior_total : 0.0;
        if (AwaitedEvaluator<E> && !node) {  // what is said of the root is the best guess
            line.win = out.win;
            line.draw = out.draw;
            line.score = out.score;
            line.final_score = out.final_score;
        }
        if (node) {
            line.win = node->mean();
            line.draw = static_cast<double>(node->draw.load());
            line.score = score_of(*node);
            line.final_score = final_score_of(*node, sign);
            const Proof proof = node->proof.load();
            line.is_proved = proof.is_exact();
            if (line.is_proved) {
                line.proof = proof.low();
                line.win = 0.5 + 0.5 * line.proof;
                line.draw = line.proof == 0 ? 1 : 0;
            }
        }
        line.lcb = line.is_proved ? line.win : visits ? lower_bound_of(*node) : 0.0;
        line.pv = best_line(i);
        line.depth = depth;
        line.seldepth = seldepth;
        out.lines.push_back(std::move(line));
    }
    if (ownership) {
        const float count =
            static_cast<float>(kOwnerUnit<E>) * std::max(1.0f, static_cast<float>(shared_.owned_playouts.load()));
        for (int i = 0; i < shared_.state.cells(); ++i)
            out.ownership.push_back(sign * static_cast<float>(shared_.ownership[static_cast<std::size_t>(i)].load()) /
                                    count);
    }
    return out;
}

}  // namespace tengen::mcts
