#include "core/reversi/solver.hpp"

#include <thread>
#include <utility>
#include <vector>

#include "core/reversi/solver_thread.hpp"

namespace tengen::reversi {

Solver::Solver(int table_bits, std::shared_ptr<const PatternTables> tables, int threads)
    : table_bits_(table_bits), threads_(table_bits ? threads : 1), tables_(std::move(tables)) {}

Solver::Solver(std::shared_ptr<SolverMemory> memory, std::shared_ptr<const PatternTables> tables)
    : table_bits_(0), threads_(1), given_(std::move(memory)), tables_(std::move(tables)) {}

Solver::Solver(const Solver& other)
    : table_bits_(other.table_bits_), threads_(other.threads_), given_(other.given_), tables_(other.tables_) {}

Solver& Solver::operator=(const Solver& other) {
    if (this == &other) return *this;
    main_.reset();
    shared_.reset();
    table_bits_ = other.table_bits_;
    threads_ = other.threads_;
    given_ = other.given_;
    tables_ = other.tables_;
    return *this;
}

Solver::~Solver() = default;

void Solver::start(std::function<bool()> interrupted) {
    if (!shared_) {
        shared_ = std::make_unique<SolverShared>();
        shared_->memory = given_;
        shared_->tables = tables_;
        main_ = std::make_unique<SolverThread>(*shared_);
    }
    if (shared_->memory && !given_) shared_->memory->table.next_age();
    shared_->is_over.store(false, std::memory_order_relaxed);
    helpers_nodes_ = 0;
    main_->start(std::move(interrupted));
}

bool Solver::is_interrupted() const { return main_ && main_->is_over(); }

std::uint64_t Solver::nodes() const {
    std::uint64_t all = helpers_nodes_ + (main_ ? main_->nodes() : 0);
    for (const auto& helper : helpers_) all += helper->published_nodes();
    return all;
}

int Solver::solve(Bits own, Bits enemy, int alpha, int beta) {
    if (!main_) start(nullptr);
    if (table_bits_ && !shared_->memory) shared_->memory = std::make_shared<SolverMemory>(table_bits_);
    const bool is_small = count(~(own | enemy)) < kThreadsEmpties;
    const int score = threads_ == 1 || is_small || is_interrupted() ? main_->solve(own, enemy, alpha, beta)
                                                                    : solve_by_threads(own, enemy, alpha, beta);
    best_move_ = main_->best_move();
    return score;
}

int Solver::solve_by_threads(Bits own, Bits enemy, int alpha, int beta) {
    shared_->has_helpers = true;
    for (auto& mark : shared_->marks) mark.store(0, std::memory_order_relaxed);
    for (int i = 1; i < threads_; ++i) {
        helpers_.push_back(std::make_unique<SolverThread>(*shared_));
        helpers_.back()->start(nullptr);
    }
    std::vector<std::thread> running;
    for (auto& helper : helpers_) running.emplace_back([&, alpha, beta] { helper->solve(own, enemy, alpha, beta); });
    const int score = main_->solve(own, enemy, alpha, beta);
    shared_->is_over.store(true, std::memory_order_relaxed);
    for (auto& thread : running) thread.join();
    shared_->is_over.store(main_->is_over(), std::memory_order_relaxed);
    for (const auto& helper : helpers_) helpers_nodes_ += helper->nodes();
    helpers_.clear();
    shared_->has_helpers = false;
    return score;
}

}  // namespace tengen::reversi
