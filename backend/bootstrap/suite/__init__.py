"""What is checked by `./gleaner test`, in which order, and what came out?"""
