#include "brain.hpp"

#include <cstdint>
#include <random>
#include <thread>
#include <utility>

namespace tengen::pbrain {

namespace {

using std::chrono::duration;
using Steady = std::chrono::steady_clock;

constexpr std::size_t kMostLines = 4096;  // of a block
constexpr double kSameBreath = 0.05;      // an END that comes so soon after a question was sent along with it
constexpr std::chrono::milliseconds kHurry(150);
constexpr std::chrono::milliseconds kTyped(200);  // what a block counts on the clock at most
constexpr double kReservedMb = 24;                // what the program holds beside the table
constexpr double kUsualMb = 64, kMostMb = 1024;
constexpr double kNear = 0.02;  // chances that differ less from one half leave the choice to the opponent

// As protocols/gomocup/swap2.py has them: black, white, black, from the corner.
constexpr Placed kOpenings[][3] = {
    {{4, 1, {}}, {0, 0, {}}, {0, 3, {}}}, {{4, 3, {}}, {6, 2, {}}, {3, 1, {}}}, {{4, 6, {}}, {6, 2, {}}, {6, 1, {}}},
    {{3, 0, {}}, {1, 6, {}}, {3, 7, {}}}, {{4, 2, {}}, {1, 6, {}}, {1, 7, {}}}, {{4, 1, {}}, {4, 0, {}}, {1, 0, {}}},
    {{5, 2, {}}, {3, 6, {}}, {4, 6, {}}}, {{6, 6, {}}, {1, 6, {}}, {0, 6, {}}}, {{3, 2, {}}, {5, 0, {}}, {6, 0, {}}},
    {{0, 6, {}}, {5, 0, {}}, {1, 7, {}}}, {{2, 1, {}}, {2, 4, {}}, {4, 3, {}}}, {{1, 5, {}}, {2, 3, {}}, {1, 7, {}}},
};

std::optional<gomoku::Rule> rule_of(long long number) {
    switch (number & ~2LL) {  // 2: a continuous game, which changes nothing for a brain
        case 0: return gomoku::Rule::kFreestyle;
        case 1: return gomoku::Rule::kStandard;
        case 4:
        case 5: return gomoku::Rule::kRenju;
        case 8: return gomoku::Rule::kCaro;
        case 9: return gomoku::Rule::kExactCaro;
        default: return std::nullopt;
    }
}

double seconds_since(Brain::Time then) { return duration<double>(Steady::now() - then).count(); }

}  // namespace

const Brain::Command Brain::kCommands[] = {
    {"ABOUT", &Brain::about, false, false, false},
    {"START", &Brain::start, false, false},
    {"RECTSTART", &Brain::rect_start, false, false},
    {"RESTART", &Brain::restart},
    {"BEGIN", &Brain::begin},
    {"TURN", &Brain::turn},
    {"BOARD", &Brain::board, true},
    {"TAKEBACK", &Brain::takeback},
    {"PLAY", &Brain::play},
    {"SWAP2BOARD", &Brain::swap2, true},
};

const Brain::Command* Brain::find(const std::string& name) {
    for (const Command& one : kCommands)
        if (name == one.name) return &one;
    return nullptr;
}

Brain::Brain(Say say) : say_(std::move(say)) { search_.set("memory_mb", kUsualMb); }

bool Brain::handle(const std::string& line, Time arrived) {
    {
        const std::lock_guard lock(mutex_);
        if (is_left_) return false;
    }
    const std::string text = cleaned(line);
    if (text.empty()) return true;
    const Request request = parse(text);
    if (request.name == "END") return false;
    if (request.name == "INFO") {
        inform(request.rest);
        return true;
    }
    arrived_ = std::max(arrived, moved_);
    if (block_) {
        if (request.name == "DONE") {
            arrived_ = std::max(arrived_ - kTyped, std::max(block_arrived_, moved_));
            execute(*std::exchange(block_, nullptr), request);
            lines_.clear();
            return true;
        }
        if (!find(request.name)) {
            if (lines_.size() < kMostLines) lines_.push_back(text.substr(0, 256));
            return true;
        }
        say_("ERROR " + std::string(std::exchange(block_, nullptr)->name) + " without DONE");
        lines_.clear();
    }
    const Command* command = find(request.name);
    if (!command) {
        say_("UNKNOWN command " + quoted(request.name));
    } else if (command->is_block) {
        block_ = command;
        block_arrived_ = arrived;
    } else {
        execute(*command, request);
    }
    return true;
}

void Brain::interrupt() {
    const std::lock_guard lock(mutex_);
    stop_.stop();
}

void Brain::leave() {
    const std::lock_guard lock(mutex_);
    if (is_thinking_ && seconds_since(thinking_since_) > kSameBreath) {
        is_left_ = true;
        stop_.stop();
        return;
    }
    std::thread([this] {
        std::this_thread::sleep_for(kHurry);
        interrupt();
    }).detach();
}

void Brain::execute(const Command& command, const Request& request) {
    std::string reply;
    try {
        if (command.needs_rule && !is_rule_known_)
            throw Error{"rule " + std::to_string(rule_number_) + " is not supported"};
        if (command.needs_board && !board_) throw Error{"no game has been started"};
        reply = (this->*command.reply)(request);
    } catch (const Error& error) {
        reply = "ERROR " + error.text;
    }
    const std::lock_guard lock(mutex_);
    if (!reply.empty() && !is_left_) say_(reply);
    moved_ = Steady::now();
}

void Brain::inform(const std::string& rest) {
    const Request told = parse(rest);  // key and value
    const auto value = number(told.rest);
    if (!value) return;
    if (told.name == "TIMEOUT_TURN") {
        clock_.turn = seconds_of(*value);
        clock_.has_turn = true;
    } else if (told.name == "TIMEOUT_MATCH") {
        clock_.match = *value > 0 ? seconds_of(*value) : kUnlimited;
    } else if (told.name == "TIME_LEFT") {
        clock_.left = seconds_of(*value);
        if (std::isinf(clock_.left)) clock_.match = kUnlimited;
    } else if (told.name == "TIME_INCREMENT") {
        clock_.increment = std::isinf(seconds_of(*value)) ? 0 : seconds_of(*value);
    } else if (told.name == "RULE") {
        const auto rule = rule_of(*value);
        rule_number_ = *value;
        is_rule_known_ = rule.has_value();
        rule_ = rule.value_or(rule_);
    } else if (told.name == "MAX_MEMORY") {
        const double megabytes = static_cast<double>(*value) / (1 << 20) - kReservedMb;
        search_.set("memory_mb", *value <= 0 ? kUsualMb : std::clamp(megabytes * 0.8, 1.0, kMostMb));
    } else if (told.name == "THREAD_NUM") {
        search_.set("threads", static_cast<double>(std::clamp(*value, 1LL, 256LL)));
    }
}

std::string Brain::about(const Request&) {
    return "name=\"Tengen\", version=\"" TENGEN_VERSION "\", author=\"Tengen developers\", country=\"International\"";
}

std::string Brain::start(const Request& request) {
    const auto size = number(request.rest);
    if (!size) throw Error{quoted(request.rest) + " is no board size"};
    const int side = static_cast<int>(std::clamp(*size, -1'000'000LL, 1'000'000LL));
    return new_game(side, side);
}

std::string Brain::rect_start(const Request& request) {
    const Placed sides = coordinates(request.rest);
    return new_game(sides.x, sides.y);
}

std::string Brain::restart(const Request&) { return new_game(board_->width(), board_->height()); }

std::string Brain::new_game(int width, int height) {
    for (const int side : {width, height})
        if (side < gomoku::kSmallest || side > gomoku::kLargest)
            throw Error{"a board of " + std::to_string(width) + "x" + std::to_string(height) +
                        " is not supported, only sides from 5 to 25"};
    board_.emplace(width, height);
    search_.clear();
    return "OK";
}

std::string Brain::begin(const Request&) {
    if (!board_->stones().empty()) throw Error{"the board is not empty"};
    board_->us = 0;
    return answer();
}

std::string Brain::turn(const Request& request) {
    const int cell = board_->empty_cell(coordinates(request.rest));
    if (!board_->us) board_->us = 1 - board_->next_colour();
    board_->put(1 - *board_->us, cell);
    return answer();
}

std::string Brain::board(const Request&) {
    Board next(board_->width(), board_->height());
    std::vector<std::pair<int, int>> owners;  // field, cell
    for (const std::string& line : lines_) {
        const Placed at = placed(line);
        if (!at.field) throw Error{quoted(line) + " is not x,y,field"};
        const int cell = next.cell(at);
        if (*at.field != 1 && *at.field != 2) continue;
        if (!next.is_empty(cell)) throw Error{next.text(cell) + " is named twice"};
        next.put(0, cell);
        owners.emplace_back(*at.field, cell);
    }
    const auto own = std::count_if(owners.begin(), owners.end(), [](const auto& one) { return one.first == 1; });
    bool is_black = 2 * own >= std::ssize(owners);
    if (rule_ == gomoku::Rule::kRenju && !owners.empty()) is_black = owners.front().first == 1;
    next.us = is_black ? 0 : 1;
    std::vector<Stone> stones;
    for (const auto& [field, cell] : owners) stones.push_back({field == 1 ? *next.us : 1 - *next.us, cell});
    next.load(std::move(stones));
    board_ = std::move(next);
    return answer();
}

std::string Brain::takeback(const Request& request) {
    board_->take(board_->cell(coordinates(request.rest)));
    return "OK";
}

std::string Brain::play(const Request& request) {
    const int cell = board_->empty_cell(coordinates(request.rest));
    if (!board_->us) board_->us = board_->next_colour();
    board_->put(*board_->us, cell);
    return board_->text(cell);
}

std::string Brain::swap2(const Request&) {
    Board next(board_->width(), board_->height());
    for (const std::string& line : lines_) {
        const int cell = next.cell(placed(line));
        if (!next.is_empty(cell)) throw Error{next.text(cell) + " is named twice"};
        next.put(next.next_colour(), cell);
    }
    const std::size_t count = next.stones().size();
    if (count != 0 && count != 3 && count != 5)
        throw Error{"SWAP2BOARD has 0, 3 or 5 stones, not " + std::to_string(count)};
    if (count == 0) {
        std::random_device chance;
        const auto& opening = kOpenings[chance() % std::size(kOpenings)];
        const bool is_mirrored = chance() % 2;
        std::string out;
        for (const Placed& at : opening) {
            const Placed turned = is_mirrored ? Placed{at.y, at.x, {}} : at;
            const int cell = next.cell({turned.x % next.width(), turned.y % next.height(), {}});
            next.put(next.next_colour(), next.is_empty(cell) ? cell : next.some_cell(next.state(rule_, 0)));
            out += (out.empty() ? "" : " ") + next.text(next.stones().back().cell);
        }
        board_ = std::move(next);
        return out;
    }
    board_ = std::move(next);
    const search::Report found = search(board_->state(rule_, 1), budget());
    if (!found.lines.empty() && found.win < 0.5) {
        board_->us = 0;
        return "SWAP";
    }
    board_->us = 1;
    return answer();
}

std::string Brain::answer() {
    if (!board_->us) board_->us = board_->next_colour();
    return board_->text(choose(*board_->us));
}

int Brain::choose(int colour) {
    const State state = board_->state(rule_, colour);
    int cell = -1;
    if (!state.is_terminal()) {
        const search::Report found = search(state, budget());
        if (!found.lines.empty() && board_->is_empty(found.lines.front().move)) cell = found.lines.front().move;
    }
    if (cell < 0) cell = board_->some_cell(state);
    board_->put(colour, cell);
    return cell;
}

Budget Brain::budget() const {
    const auto moves = (static_cast<double>(board_->cells()) - static_cast<double>(board_->stones().size())) / 8;
    Budget out = clock_.budget(std::min(moves, 40.0));
    const double gone = duration<double>(Steady::now() - arrived_).count();
    out.seconds = std::max(0.001, out.seconds - gone);
    out.plan = std::clamp(out.plan - gone, 0.001, out.seconds);
    return out;
}

search::Report Brain::search(const State& state, const Budget& budget) {
    search::RootFacts facts;
    if (!board_->stones().empty()) facts.recent = {board_->stones().back().cell};
    search::Bounds bounds;
    bounds.seconds = budget.seconds;
    bounds.plan = budget.plan;
    bounds.early_stop = true;
    {
        const std::lock_guard lock(mutex_);
        if (!is_left_) stop_ = search::StopToken();
        is_thinking_ = true;
        thinking_since_ = arrived_;
    }
    const auto begun = Steady::now();
    search_.run(state, facts, bounds, stop_);
    clock_.observe(budget.seconds, seconds_since(begun));
    {
        const std::lock_guard lock(mutex_);
        is_thinking_ = false;
    }
    return search_.report(1, false);
}

}  // namespace tengen::pbrain
