"""What stands behind `./gleaner`: set-up, start, stop and test.

Standard library only: it runs before anything is installed.
"""
