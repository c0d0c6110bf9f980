# planted-ranks.R - bugs planted in scores of ranks and their noise: a part of the table in planted.R.
rank_bugs <- list(
  "concordance: ties count as above" = c_bug(
    "num/concordance.c", ctest = "concordance",
    from = "above = seen - sum_below(tree, y->rank[e] + 1);", to = "above = seen - below;"
  ),
  "concordance: ties in x are in the order of rows" = c_bug(
    "num/concordance.c", ctest = "concordance",
    from = "if (x->rank[e] != x->rank[x->order[down ? size - 1 - from : from]]) break;",
    to = "if (end > from) break;"
  ),
  "concordance: an entry is one row" = c_bug(
    "num/concordance.c", ctest = "concordance",
    from = "total += signs * dpd_tally_count(tally, e);", to = "total += signs;"
  ),
  "concordance: the tree has one row an entry" = c_bug(
    "num/concordance.c", ctest = "concordance",
    from = "e = x->order[down ? size - 1 - from : from], count = dpd_tally_count(tally, e);",
    to = "e = x->order[down ? size - 1 - from : from], count = 1;"
  ),
  "concordance: sums in 32 bits" = c_bug(
    "num/concordance.c", ctest = "concordance",
    from = "  int64_t total = 0;\n  int seen", to = "  float total = 0;\n  int seen"
  ),
  "concordance: squares in 64 bits" = c_bug(
    "num/concordance.c", ctest = "concordance",
    from = "*squares += (dpd_u128)(size * size) * (unsigned)dpd_tally_count(tally, e);",
    to = "*squares += size * size * (unsigned)dpd_tally_count(tally, e);"
  ),
  "concordance: a row's sum of one side" = c_bug(
    "num/concordance.c", ctest = "concordance",
    from = "  sweep(x, y, tally, tree, true, row);\n", to = ""
  ),
  "concordance: the tree is not cleared" = c_bug(
    "num/concordance.c", ctest = "concordance",
    from = "((size_t)y->distinct + 1) * sizeof *tree);", to = "sizeof *tree);"
  ),
  "concordance: each value has a rank of its own" = c_bug(
    "num/concordance.c", ctest = "concordance",
    from = "if (i == 0 || items[i].value != items[i - 1].value) r->distinct++;", to = "r->distinct++;"
  ),
  "cube: without coins" =
    c_bug("samp/cube.c", "keep && i <= m; i++)", "keep && i < 1; i++)", ctest = "cube"),
  "cube: a coin less" = c_bug("samp/cube.c", "keep && i <= m; i++)", "keep && i < m; i++)", ctest = "cube"),
  "cube: a geometric draw less" =
    c_bug("samp/cube.c", "for (int i = 0; i <= m; i++) {", "for (int i = 0; i < m; i++) {", ctest = "cube"),
  "cube: one draw for all numbers" = c_bug(
    "samp/cube.c", ctest = "cube",
    from = "    DPD_TRY(dpd_rng_below(rng, 2 * radius + 1, &part));",
    to = "    if (j == 0) DPD_TRY(dpd_rng_below(rng, 2 * radius + 1, &part));"
  ),
  "cube: its upper side is missing" = c_bug(
    "samp/cube.c", ctest = "cube",
    from = "dpd_rng_below(rng, 2 * radius + 1, &part)", to = "dpd_rng_below(rng, 2 * radius, &part)"
  )
)
