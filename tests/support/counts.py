"""The numbers in what `catalog import` tells."""


def counts(out):
    return [int(line.split()[1].replace(",", "")) for line in out.splitlines() if line[0] not in "+~-"]
