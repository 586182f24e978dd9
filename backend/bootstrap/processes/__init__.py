"""How are processes started, watched and stopped, so that none is left behind?"""
