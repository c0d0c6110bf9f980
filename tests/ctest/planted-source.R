# planted-source.R - bugs planted in random sources, coins, noise and lists: a part of planted.R's table.
source_bugs <- list(
  # -- random source ---------------------------------------------------------------------------------
  "a failure of the source is ignored" = c_bug(
    "samp/rng.c", ctest = "rng",
    from = "DPD_TRY(rng->fill(rng->state, rng->bytes, rng->block));",
    to = "(void)rng->fill(rng->state, rng->bytes, rng->block);"
  ),
  "the buffer is handed out again when the source fails" = c_bug(
    "samp/rng.c", ctest = "rng",
    from = "    rng->used = rng->block; /* nothing is handed out if the source fails half way */",
    to = "    rng->used = 0;"
  ),
  "bytes are used twice" =
    c_bug("samp/rng.c", "rng->used += size;", "rng->used += size / 2;", ctest = "rng"),
  "used bytes stay in the buffer" =
    c_bug("samp/rng.c", "  memset(rng->bytes + rng->used, 0, size);\n", "", ctest = "rng"),
  "the buffer is not wiped" =
    c_bug("samp/rng.c", "    p[i] = 0;", "    (void)p[i];", ctest = "rng"),
  "the buffer is wiped up to what was used" =
    c_bug("samp/rng.c", "i < DPD_RNG_BUFFER; i++)", "i < rng->used; i++)", ctest = "rng"),
  "a wiped buffer's zeros are handed out" =
    c_bug("samp/rng.c", "    p[i] = 0;\n  rng->used = rng->block;", "    p[i] = 0;", ctest = "rng"),
  "a number of one word may be n" = c_bug(
    "samp/rng.c", ctest = "rng",
    from = "    word &= mask;\n  } while (word >= n);",
    to = "    word &= mask;\n  } while (word > n);"
  ),
  "a number of two words may be n" =
    c_bug("samp/rng.c", "& mask;\n  } while (word >= n);", "& mask;\n  } while (word > n);", ctest = "rng"),
  "a number below n by the remainder" = c_bug(
    "samp/rng.c", ctest = "rng",
    from = "DPD_TRY(narrow_word(rng, mask, &word));\n    word &= mask;",
    to = "DPD_TRY(narrow_word(rng, UINT64_MAX, &word));\n    word %= n;"
  ),
  "entropy that comes short is taken as whole" = c_bug(
    "samp/entropy.c", ctest = "entropy",
    from = "    out += got;\n    len -= (size_t)got;\n  }\n  return DPD_OK;",
    to = "    out += got;\n    len = 0;\n  }\n  return DPD_OK;"
  ),
  "the system call's failure is taken as success" = c_bug(
    "samp/entropy.c", ctest = "entropy",
    from = "if (got <= 0) return DPD_ERR_ENTROPY;\n    out",
    to = "if (got <= 0) return DPD_OK;\n    out"
  ),
  "a kernel without the system call gives what was in the buffer" =
    c_bug("samp/entropy.c", "return device_fill(from, out, len);", "return DPD_OK;", ctest = "entropy"),
  "a device that comes short is taken as whole" = c_bug(
    "samp/entropy.c", ctest = "entropy",
    from = "    len -= (size_t)got;\n  }\n  close(fd);",
    to = "    len = 0;\n  }\n  close(fd);"
  ),
  "a device is read to the same place again" = c_bug(
    "samp/entropy.c", ctest = "entropy",
    from = "    if (got <= 0) break;\n    out += got;\n",
    to = "    if (got <= 0) break;\n"
  ),
  "a device that ends is taken as whole" = c_bug(
    "samp/entropy.c", ctest = "entropy",
    from = "return len == 0 ? DPD_OK : DPD_ERR_ENTROPY;",
    to = "return device ? DPD_OK : DPD_ERR_ENTROPY;"
  ),
  "a plain file in the device's place is read" =
    c_bug("samp/entropy.c", " && S_ISCHR(info.st_mode);", ";", ctest = "entropy"),

  # -- coins and noise -------------------------------------------------------------------------------
  "a coin that also falls at equality" =
    c_bug("samp/bernoulli.c", "if (product >= target) {", "if (product > target) {", ctest = "bernoulli"),
  "the last word of a double's coin" =
    c_bug("samp/bernoulli.c", "*out = word < digits;", "*out = word <= digits;", ctest = "bernoulli"),
  "exponential coins of the other parity" =
    c_bug("samp/bernoulli.c", "*out = k % 2 == 1;", "*out = k % 2 == 1 || k > 5;", ctest = "bernoulli"),
  "one coin of exp(-1) too few" = c_bug(
    "samp/bernoulli.c", ctest = "bernoulli",
    from = "for (; whole > 0; whole--) {",
    to = "for (; whole > 1; whole--) {"
  ),
  "rates rounded up" =
    c_bug("samp/bernoulli.c", "out->num = num - 64 - (num >> 40);", "out->num = num + 1;", ctest = "noise"),
  "geometric, one more" = c_bug(
    "samp/bernoulli.c", ctest = "bernoulli",
    from = "*out = x < MAX_DEN ? (uint64_t)x : MAX_DEN;",
    to = "*out = x < MAX_DEN ? (uint64_t)x + 1 : MAX_DEN;"
  ),
  "geometric of a scale 1% smaller" = c_bug(
    "samp/bernoulli.c", ctest = "bernoulli",
    from = "x = x <= UINT64_MAX ? (uint64_t)x / num : x / num;",
    to = "x = x * 99 / 100 / num;"
  ),
  "geometric without the low part" = c_bug(
    "samp/bernoulli.c", ctest = "bernoulli",
    from = "dpd_u128 x = low + (dpd_u128)high * den;",
    to = "dpd_u128 x = (dpd_u128)high * den;"
  ),
  "noise of half the scale" = c_bug(
    "samp/noise.c", ctest = "bernoulli",
    from = "DPD_TRY(dpd_geometric_exp(rng, num, den, &size));",
    to = "DPD_TRY(dpd_geometric_exp(rng, 2 * num, den, &size));"
  ),
  "noise of one sign" = c_bug(
    "samp/noise.c", ctest = "bernoulli",
    from = "*out = negative ? -(int64_t)size : (int64_t)size;",
    to = "*out = (int64_t)size;"
  ),
  "minus zero is kept" =
    c_bug("samp/noise.c", "} while (negative && size == 0);", "} while (0);", ctest = "bernoulli"),
  "truncated noise is clamped, not drawn again" = c_bug(
    "samp/noise.c", ctest = "bernoulli",
    from = "keep = z >= -bound && z <= bound;",
    to = "z = z < -bound ? -bound : z > bound ? bound : z;\n      keep = true;"
  ),
  "truncated noise one short" = c_bug(
    "samp/noise.c", ctest = "bernoulli",
    from = "keep = z >= -bound && z <= bound;",
    to = "keep = z > -bound && z <= bound;"
  ),
  "the truncation's bound rounded down" = c_bug(
    "samp/noise.c", audit = "truncation_is_wrong()",
    from = "double bound = ceil((gain",
    to = "double bound = floor((gain"
  ),
  "gaussian noise without rejection" = c_bug(
    "samp/noise.c", ctest = "bernoulli",
    from = "if (a < widest) return dpd_bernoulli_exp_u128(rng, a * a, b, keep);",
    to = "*keep = true;\n  if (a < widest) return DPD_OK;"
  ),
  "gaussian noise of half the variance" =
    c_bug("samp/noise.c", "<< (2 * bits + 1);", "<< (2 * bits);", ctest = "bernoulli"),
  "a coin that is thrown after sixteen others is left out" =
    c_bug("samp/first_success.c", "k -= take;", "k -= take + (k == 17);", ctest = "interval"),
  "a level within a shell by the uniform law" = c_bug(
    "samp/outlyingness_exact.c", ctest = "projection",
    from = "-log1p(unit * expm1(-SHELL_WIDTH)) / s->law.rate",
    to = "unit * SHELL_WIDTH / s->law.rate"
  ),
  "a source is not closed" = c_bug(
    "r/host.c", test = "drawn from is closed",
    from = "  dpd_rng_close(&task->rng);\n",
    to = ""
  ),

  "the centre's distance rounded inward" = c_bug(
    "margin/projection_center.c", ctest = "projection_center",
    from = "*value = upper;",
    to = "*value = lower;"
  ),

  "a source that failed leaves the rest of its block" = c_bug(
    "samp/rng.c", ctest = "rng",
    from = "    rng->used = rng->block; /* nothing",
    to = "    /* nothing"
  ),
  "normals from points on the circle" = c_bug(
    "samp/rng.c", ctest = "rng",
    from = "while (r >= 1 || r == 0);",
    to = "while (r > 2 || r == 0);"
  ),
  "a geometric number's quotient of 64 bits" = c_bug(
    "samp/bernoulli.c", ctest = "bernoulli",
    from = "x = x <= UINT64_MAX ? (uint64_t)x / num : x / num;",
    to = "x = (uint64_t)x / num;"
  ),

  "rows that agree: a bound that no double holds is 0" = c_bug(
    "sens/medsweep.c", ctest = "medsweep",
    from = "double floor = exp(-deepest) * (double)slopes.size;",
    to = "double floor = 0;"
  ),
  "an end of a box that is no whole number" = c_bug(
    "mech/boxes.c", ctest = "boxes",
    from = "if (low != floor(low) || high != floor(high)) return 0;",
    to = "if (low != floor(low)) return 0;"
  ),
  "quantiles at a rate whose weights are 0" = c_bug(
    "mech/quantile_node.c", ctest = "quantile_node",
    from = "  if (rate.q < DBL_MIN) rate.q = DBL_MIN;\n",
    to = ""
  ),

  "the end of the limits beside a multiple by rounding" = c_bug(
    "num/lattice.c", ctest = "lattice",
    from = "rint(x)) <= 0x1p-50",
    to = "rint(x)) <= 0x1p-60"
  ),
  "cells of a normal prior cut too near" = c_bug(
    "num/prior_mass.c", ctest = "axes",
    from = "ONE_UNIT = 9.3;",
    to = "ONE_UNIT = 9.0;"
  ),

  # -- lists that grow -------------------------------------------------------------------------------
  "the size of a list wraps" = c_bug(
    "num/list.c", ctest = "list",
    from = "room <= most ? realloc(l->item, room * size) : NULL",
    to = "realloc(l->item, room * size)"
  ),
  "a list that failed goes on" = c_bug(
    "num/list.c", ctest = "list",
    from = "  if (l->failed) return DPD_ERR_MEMORY;\n  if (count",
    to = "  if (count"
  ),

  # -- the file of a ledger --------------------------------------------------------------------------
  "an entry is drawn for before it is on the disk" = c_bug(
    "num/journal.c", ctest = "journal",
    from = "return j->calls.sync(j->file) == 0 ? DPD_JOURNAL_DONE : DPD_JOURNAL_FAILED;",
    to = "return DPD_JOURNAL_DONE;"
  ),
  "a disk that fails is not told" = c_bug(
    "num/journal.c", ctest = "journal",
    from = "return j->calls.sync(j->file) == 0 ? DPD_JOURNAL_DONE : DPD_JOURNAL_FAILED;",
    to = "(void)j->calls.sync(j->file);\n  return DPD_JOURNAL_DONE;"
  ),
  "a write that comes short is taken as whole" =
    c_bug("num/journal.c", "    size -= (size_t)put;", "    size = 0;", ctest = "journal"),
  "half an entry stays after a failure" =
    c_bug("num/journal.c", "cut_file(j->file, before) == 0", "before >= 0", ctest = "journal"),
  "a full disk is not told" = c_bug(
    "num/journal.c", ctest = "journal",
    from = "(void)j->calls.sync(j->file);\n      return DPD_JOURNAL_FAILED;",
    to = "(void)j->calls.sync(j->file);\n      return DPD_JOURNAL_DONE;"
  ),
  "a ledger that another process has is used" = c_bug(
    "num/journal.c", ctest = "journal",
    from = "if (status != DPD_JOURNAL_DONE) return status;\n  if (!in_place",
    to = "if (status == DPD_JOURNAL_FAILED) return status;\n  if (!in_place"
  ),
  "a ledger is used without a lock" = c_bug(
    "num/journal.c", ctest = "journal",
    from = "if (status != DPD_JOURNAL_DONE) return status;\n  if (!in_place",
    to = "if (status == DPD_JOURNAL_BUSY) return status;\n  if (!in_place"
  ),
  "the lock of a ledger is shared" =
    c_bug("num/journal.c", "LOCK_EX | LOCK_NB", "LOCK_SH | LOCK_NB", ctest = "journal"),
  "a ledger that was put aside is used" =
    c_bug("num/journal.c", "if (!in_place(j->file, path))", "if (false)", ctest = "journal")
)
