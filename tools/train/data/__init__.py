"""What is learned from: games (`game`), files of them, and rows encoded from them."""
