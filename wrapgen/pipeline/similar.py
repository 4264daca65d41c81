from wrapgen.pipeline.matching import similarity


class SimilarityIndex:
    def __init__(self, texts, cutoff):
        self.t = texts
        self.c = cutoff

    def query(self, f, before=None):
        return [(i, s) for i, t in enumerate(self.t[:before]) if (s := similarity(f, t, self.c)) >= self.c]
