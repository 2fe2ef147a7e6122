"""Evaluators: the values and policies of the positions at which a search stops. Evaluators name no search.

An inline evaluator is C++ (`LeafEvaluator` in `engine/core/concepts.hpp` is its contract), listed by the native search
of its game. A network is a file with a card, run by one of `backends`.
"""
