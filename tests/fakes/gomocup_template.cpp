// A Gomoku engine whose conversation is that of the official Gomocup template (pisqpipe of Piskvork's skelet_CPP), with
// a small player behind it. Written anew from what that template does:
//   * a line is at most 255 characters, the rest of it is lost; CR before LF is dropped; end of input ends it at once,
//     also in the middle of a line;
//   * a command is known by its first letters, in any case, blanks or not after it; anything else, a blank line too, is
//     answered "UNKNOWN command";
//   * one thread reads while another thinks; every command but INFO and ABOUT first waits for the move;
//   * a move that is refused is an ERROR line, and the turn is played all the same;
//   * BOARD ends at the first line that is no stone, with an ERROR if it is not DONE, and the turn is played;
//   * without START the board becomes 20x20, with an OK of its own.
//
// Arguments plant faults. example: START keeps the stones of the last game and moves are random, as in the example that
// comes with the template. info-ok: INFO is answered. start-text: words after OK. twice: two moves for one. banner: a
// line of its own at the start. mixed: x and y change places.
// swapped: 1 on a BOARD is the opponent.

#include <strings.h>

#include <array>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>

namespace {

constexpr int longest_line = 255;
constexpr int largest_board = 100;
constexpr int implicit_size = 20;

std::set<std::string> faults;
bool has(const char* fault) { return faults.count(fault) > 0; }

std::mutex output;

void say(const std::string& text) {
    const std::lock_guard<std::mutex> lock(output);
    std::puts(text.c_str());
    std::fflush(stdout);
}

std::string read_line() {
    std::string line;
    for (int c = std::getchar(); c != '\n'; c = std::getchar()) {
        if (c == EOF) std::_Exit(0);
        if (line.size() < longest_line) line.push_back(static_cast<char>(c));
    }
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return line.c_str();  // up to the first NUL
}

// -- the player ------------------------------------------------------------------------------------------

struct Board {
    int width = 0, height = 0;
    std::array<std::array<char, largest_board>, largest_board> stones{};

    bool holds(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
    bool is_free(int x, int y) const { return holds(x, y) && stones[x][y] == 0; }
    void clear() { stones = {}; }

    int run(int x, int y, int dx, int dy, char who) const {
        int length = 0;
        while (holds(x += dx, y += dy) && stones[x][y] == who) ++length;
        return length;
    }

    bool makes_five(int x, int y, char who) const {
        for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}, {1, 1}, {1, -1}})
            if (run(x, y, dx, dy, who) + run(x, y, -dx, -dy, who) >= 4) return true;
        return false;
    }
};

Board board;
std::mt19937 dice(1);

std::pair<int, int> choose() {
    if (!has("example"))
        for (int x = 0; x < board.width; ++x)
            for (int y = 0; y < board.height; ++y)
                if (board.is_free(x, y) && board.makes_five(x, y, 1)) return {x, y};
    for (;;) {
        const int x = static_cast<int>(dice() % board.width), y = static_cast<int>(dice() % board.height);
        if (board.is_free(x, y)) return {x, y};
    }
}

void put(int x, int y, char who, const char* whose) {
    if (board.is_free(x, y))
        board.stones[x][y] = who;
    else
        say(std::string("ERROR ") + whose + " move [" + std::to_string(x) + "," + std::to_string(y) + "]");
}

void play_own(int x, int y) {
    put(x, y, 1, "my");
    if (has("mixed")) std::swap(x, y);
    for (int i = 0; i < (has("twice") ? 2 : 1); ++i) say(std::to_string(x) + "," + std::to_string(y));
}

void begin_game() {
    if (board.width > largest_board || board.height > largest_board) {
        board.width = board.height = 0;
        return say("ERROR board too large");
    }
    if (!has("example")) board.clear();
    say(has("start-text") ? "OK - let us play" : "OK");
}

// -- two threads -----------------------------------------------------------------------------------------

std::mutex turn_mutex;
std::condition_variable turn_changed;
bool is_thinking = false;

void think_for_ever() {
    for (;;) {
        std::unique_lock<std::mutex> lock(turn_mutex);
        turn_changed.wait(lock, [] { return is_thinking; });
        lock.unlock();
        const auto [x, y] = choose();
        play_own(x, y);
        lock.lock();
        is_thinking = false;
        turn_changed.notify_all();
    }
}

void wait_for_move() {
    std::unique_lock<std::mutex> lock(turn_mutex);
    turn_changed.wait(lock, [] { return !is_thinking; });
}

void take_turn() {
    const std::lock_guard<std::mutex> lock(turn_mutex);
    is_thinking = true;
    turn_changed.notify_all();
}

void get_ready() {
    wait_for_move();
    if (board.width == 0) {
        board.width = board.height = implicit_size;
        begin_game();
    }
}

// -- commands --------------------------------------------------------------------------------------------

bool read_point(const char* text, int& x, int& y) {
    return std::sscanf(text, "%d,%d", &x, &y) == 2 && board.holds(x, y);
}

void info(const char*) {
    if (has("info-ok")) say("OK");
}

void start_with(int width, int height, bool is_read, const char* complaint) {
    wait_for_move();
    if (!is_read || width < 5 || height < 5) {
        board.width = board.height = 0;
        return say(complaint);
    }
    board.width = width;
    board.height = height;
    begin_game();
}

void start(const char* text) {
    int size = 0;
    const bool is_read = std::sscanf(text, "%d", &size) == 1;
    start_with(size, size, is_read, "ERROR bad START parameter");
}

void rectstart(const char* text) {
    int width = 0, height = 0;
    const bool is_read = std::sscanf(text, "%d ,%d", &width, &height) == 2;
    start_with(width, height, is_read, "ERROR bad RECTSTART parameters");
}

void restart(const char*) {
    get_ready();
    board.clear();
    say("OK");
}

void turn(const char* text) {
    int x, y;
    get_ready();
    if (!read_point(text, x, y)) return say("ERROR bad coordinates");
    put(x, y, 2, "opponent's");
    take_turn();
}

void play(const char* text) {
    int x, y;
    get_ready();
    if (!read_point(text, x, y)) return say("ERROR bad coordinates");
    play_own(x, y);
}

void begin(const char*) {
    get_ready();
    take_turn();
}

void about(const char*) { say("name=\"Stub\", version=\"1\", author=\"Tengen's tests\", country=\"XX\""); }

void end(const char*) {
    wait_for_move();
    std::_Exit(0);
}

void set_board(const char*) {
    get_ready();
    for (;;) {
        const std::string line = read_line();
        int x, y, who;
        const bool is_stone = std::sscanf(line.c_str(), "%d,%d,%d", &x, &y, &who) == 3 && board.holds(x, y);
        if (!is_stone || who < 1 || who > 3) {
            if (strcasecmp(line.c_str(), "done") != 0) say("ERROR stones or DONE expected after BOARD");
            break;
        }
        if (has("swapped") && who < 3) who = 3 - who;
        put(x, y, static_cast<char>(who), who == 1 ? "my" : who == 2 ? "opponent's" : "winning");
    }
    take_turn();
}

void takeback(const char* text) {
    int x, y;
    get_ready();
    const bool is_stone = read_point(text, x, y) && board.stones[x][y] != 0;
    if (is_stone) board.stones[x][y] = 0;
    say(is_stone ? "OK" : "ERROR bad coordinates");
}

struct Command {
    const char* name;
    void (*run)(const char* rest);
};

constexpr Command commands[] = {
    {"info", info}, {"start", start},     {"rectstart", rectstart}, {"restart", restart},
    {"turn", turn}, {"play", play},       {"begin", begin},         {"about", about},
    {"end", end},   {"board", set_board}, {"takeback", takeback},
};

void obey(const std::string& line) {
    for (const Command& command : commands) {
        const std::size_t length = std::strlen(command.name);
        if (strncasecmp(command.name, line.c_str(), length) == 0) {
            const std::size_t at = line.find_first_not_of(" \t\r\n\v\f", length);
            return command.run(at == std::string::npos ? "" : line.c_str() + at);
        }
    }
    say("UNKNOWN command");
}

}  // namespace

int main(int count, char** words) {
    faults.insert(words + 1, words + count);
    if (has("banner")) say("Stub 1, all rights reserved");
    std::thread(think_for_ever).detach();
    for (;;) obey(read_line());
}
