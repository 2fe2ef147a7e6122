"""The laboratory of `tengen photo`: draw labelled boards, train the networks on them, measure what they read."""
