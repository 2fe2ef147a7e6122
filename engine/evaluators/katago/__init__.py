"""KataGo's networks: reading their files, running them, and what their outputs mean."""

KATAGO_GAME, KATAGO_FEATURES = "go", "katago-v7"
"""The game of these networks, and their feature set."""
TREE_OPTIMISM, ROOT_OPTIMISM = 1.0, 0.2
"""Of the policy at positions below a root and at a root, where a network has an optimistic one: KataGo's defaults,
`policyOptimism` and `rootPolicyOptimism` (and what `kata-raw-nn` shows)."""
