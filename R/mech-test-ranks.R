# Rank statistics of private tests: scores, how far one row moves them, and their distributions without noise.
#
# METHOD: ties are broken by a random order that no row has a part in, so that both statistics have the
#   distributions of data without ties. These are symmetric about a middle, and computed from their
#   characteristic functions: Mann-Whitney's is the product over k up to m of (k sin((M+k)t/2)) / ((M+k)
#   sin(kt/2)), m and M the smaller and the larger size; that of signed ranks the product of cos(kt/2); that
#   of Kendall's number of concordant pairs the product of sin(kt/2) / (k sin(t/2)). Short distributions are
#   sums over all frequencies by fft(). Of long ones the distribution function is a sum over the few low
#   frequencies that have weight, at some thousand places; what lies between two places counts as at the
#   lower one, so that the lower tail is never too small. Errors are below 1e-12, which p-values pay for.
# COST: a long distribution takes some hundredths of a second; Kendall's grows with the root of n, to seconds
#   at 1e8 rows.
# REFERENCE: Mann and Whitney (1947); Kendall (1938); vignettes/proofs-tests.Rmd, sections 2 to 4 and 8.

# -- distributions, list(ends, laws): symmetric about ends / 2; one or several list(score, weight) ---------

# Where all frequencies are summed, and into how many places a longer distribution is divided.
short_law <- 8192

# Factors above which characteristic functions go by their logarithm's series.
most_factors <- 2000

# Laws by their sizes: a simulation takes the same one many times.
laws_found <- new.env(parent = emptyenv())

found_law <- function(key, law) {
  remembered(laws_found, key, {
    if (length(laws_found) > 200) rm(list = ls(laws_found), envir = laws_found)
    law()
  })
}

# Of pairs (x, y) with x above y, a of one sample and b of another; of `blocks`, a data frame with a, b and
# count, within blocks alone.
mann_whitney_law <- function(a, b, count = 1) {
  found_law(sprintf("pairs %s", paste(sprintf("%.0f", c(a, b, count)), collapse = " ")), function() {
    low <- pmin(a, b)
    high <- pmax(a, b)
    variance <- sum(count * a * b * (a + b + 1) / 12)
    wave <- function(t) {
      Reduce(`*`, Map(function(m, most, count) pairs_wave(t, m, most)^count, low, high, count))
    }
    list(ends = sum(count * a * b),
         laws = list(law_by_waves(sum(count * a * b), sqrt(variance), wave, all = length(a) == 1 && low < 8)))
  })
}

# Of the sum of the ranks of rows with a positive sign.
signed_rank_law <- function(n) {
  found_law(sprintf("signed ranks %.0f", n), function() {
    ends <- n * (n + 1) / 2
    list(ends = ends, laws = list(law_by_waves(ends, sqrt(ends * (2 * n + 1) / 12), function(t) {
      if (n > most_factors) return(exp(-series_of(t / 2, power_sums(n), c(1 / 2, 1 / 12, 1 / 45, 17 / 2520))))
      out <- rep_len(1, length(t))
      for (k in seq_len(n)) out <- out * cos(k * t / 2)
      out
    })))
  })
}

# Of pairs of rows that two variables without ties order alike, where all orders are equally likely.
kendall_law <- function(n) {
  found_law(sprintf("kendall %.0f", n), function() {
    ends <- n * (n - 1) / 2
    list(ends = ends, laws = list(law_by_waves(ends, sqrt(ends * (2 * n + 5) / 36), kendall_wave(n))))
  })
}

# A product of waves of uniform numbers 0..k - 1. Only t = 0 has sin(t / 2) = 0: others are below 2 pi. Those
# above pi are the mirrored ones below it, with a sign: near 2 pi sines lose digits.
kendall_wave <- function(n) {
  function(t) {
    if (n > most_factors) {
      return(exp(-series_of(t / 2, power_sums(n) - n, c(1 / 6, 1 / 180, 1 / 2835, 1 / 37800))))
    }
    out <- ifelse(t > pi, (-1)^(n %/% 2), 1)
    t <- pmin(t, 2 * pi - t)
    below <- sin(t / 2)
    for (k in seq_len(n)) out <- out * ifelse(t == 0, 1, sin(k * t / 2) / (k * below))
    out
  }
}

# Whole numbers 0..range with the real characteristic function wave(t) about their middle.
law_by_waves <- function(range, sd, wave, all = FALSE) {
  if (range <= short_law || all) {
    size <- stats::nextn(range + 1)
    t <- 2 * pi * seq.int(0, size - 1) / size
    weight <- Re(stats::fft(wave(t) * complex(argument = t * range / 2))) / size
    return(list(score = seq.int(0, range), weight = pmax(weight[seq_len(range + 1)], 0)))
  }
  reach <- min(range / 2, 10 * sd)
  last <- unique(c(floor(seq(range / 2 - reach, range / 2 + reach, length.out = short_law)), range))
  up_to <- (last + 1) / (range + 1)
  j <- 0
  repeat {
    j <- max(j) + 1:64
    t <- 2 * pi * j / (range + 1)
    height <- wave(t) / ((range + 1) * sin(t / 2))
    up_to <- up_to + sin(outer(last + (1 - range) / 2, t)) %*% height
    if (max(abs(height)) < 1e-18) break
  }
  up_to <- cummax(pmin(pmax(as.vector(up_to), 0), 1))
  up_to[[length(up_to)]] <- 1
  list(score = c(0, last[-length(last)] + 1), weight = diff(c(0, up_to)))
}

# sin(c t / 2) is 0 where a multiple of the period is met: there its slope takes its place.
pairs_wave <- function(t, m, most) {
  if (m > most_factors) {
    powers <- power_sums(m + most) - power_sums(m) - power_sums(most)
    return(exp(-series_of(t / 2, powers, c(1 / 6, 1 / 180, 1 / 2835, 1 / 37800))))
  }
  out <- rep_len(1, length(t))
  zeros <- integer(length(t))
  for (k in seq_len(m)) {
    above <- sin((most + k) * t / 2)
    below <- sin(k * t / 2)
    no <- abs(above) < 1e-9
    above[no] <- ((most + k) * cos((most + k) * t / 2))[no]
    none <- abs(below) < 1e-9
    below[none] <- (k * cos(k * t / 2))[none]
    zeros <- zeros + no - none
    out <- out * (above / (most + k) * k / below)
  }
  out[zeros > 0] <- 0
  out
}

# The sums of k^2, k^4, k^6 and k^8 for k = 1..n.
power_sums <- function(n) {
  n * (n + 1) * (2 * n + 1) * c(
    1 / 6, (3 * n^2 + 3 * n - 1) / 30, (3 * n^4 + 6 * n^3 - 3 * n + 1) / 42,
    (5 * n^6 + 15 * n^5 + 5 * n^4 - 15 * n^3 - n^2 + 9 * n - 3) / 90
  )
}

series_of <- function(z, powers, terms) {
  as.vector(outer(z^2, 1:4, `^`) %*% (powers * terms))
}

# -- scores -------------------------------------------------------------------------------------------

# Places of the values from below, ties in a random order. PRIVATE: v.
random_ranks <- function(v, source) {
  place <- numeric(length(v))
  place[order(v, random_order(length(v), source))] <- seq_along(v)
  place
}

# How many pairs of a row that is `first` and one that is not have the former above. One row moves it by as
# many as there are of the other kind.
mann_whitney_score <- function(v, first, source) {
  a <- sum(first)
  sum(random_ranks(v, source)[first]) - a * (a + 1) / 2
}

# The sum of the ranks of |d| where d is above 0; zeros are so by fair coins. One row moves it by n at most.
signed_rank_score <- function(d, source) {
  above <- d > 0
  zero <- d == 0
  above[zero] <- draw_below(sum(zero), 2, source) == 1
  sum(random_ranks(abs(d), source)[above])
}

# How many pairs of rows both variables order alike. One row is in n - 1 pairs.
kendall_score <- function(x, y, source) {
  n <- as.double(length(x))
  ranks <- cbind(random_ranks(x, source), random_ranks(y, source))
  (concordances(ranks, 0L) + n * (n - 1) / 2) / 2
}

# -- two groups of private sizes: a normalised score ------------------------------------------------------
#
# METHOD: T = 2 U - a b, of groups of a and b rows, times f(a) = 1 / max(sqrt(a b), max(a, b) r),
#   r = sqrt(share / (1 - share)), has a standard deviation of sqrt((n + 1) / 3) at most, whatever a is. It is
#   cut at three of these, so that a row that changes its group, and f with it, moves it by no more than
#   groups_move(), and counted in whole 64ths.

groups_unit <- 64

groups_factor <- function(a, n, share) {
  1 / pmax(sqrt(a * (n - a)), pmax(a, n - a) * sqrt(share / (1 - share)))
}

groups_cut <- function(n) 3 * sqrt((n + 1) / 3)

# `pairs`: U, of a rows and the others.
normalised_score <- function(pairs, a, n, share) {
  t <- (2 * pairs - a * (n - a)) * groups_factor(a, n, share)
  round(groups_unit * pmin(pmax(t, -groups_cut(n)), groups_cut(n)))
}

# By how much one row moves the score: within its group, T by twice the size of the other; into the other
# group, T by n - 1, and the factor of what is not cut. A rounded number moves by one more.
groups_move <- function(n, share) {
  a <- as.double(seq.int(0, n))
  f <- groups_factor(a, n, share)
  stays <- 2 * pmax(a, n - a) * f * (a > 0) * (a < n)
  goes <- function(f, to) groups_cut(n) * abs(to / f - 1) + to * (n - 1)
  most <- max(stays, goes(f[-1], f[-(n + 1)]), goes(f[-(n + 1)], f[-1]))
  floor(groups_unit * most * (1 + 1e-9)) + 1
}

# Of all sizes that the first group may have: p-values are the largest of all. Of more than 60 rows some sizes
# stand for the others: by half and half the score has the widest distribution; where sizes from `share` on
# have one variance, tails go with the kurtosis, which changes most where groups are small. Scores are
# `lowered` by the distance of two of them, as those of other sizes lie between.
groups_law <- function(n, share) {
  found_law(sprintf("groups %.0f %a", n, share), function() {
    half <- n %/% 2
    least <- if (n <= 60) 0 else if (share == 0.5) half else floor(0.8 * share * n)
    all <- least:min(half, max(60, least + 20))
    sizes <- unique(c(half, round(exp(seq(log(half), log(max(all)), length.out = 30))), rev(all)))
    list(ends = 0, outer = TRUE, laws = lapply(sizes, group_law, n, share),
         lowered = if (n > 60) ceiling(2 * groups_unit * groups_factor(sizes, n, share)))
  })
}

group_law <- function(a, n, share) {
  law <- if (a == 0) list(score = 0, weight = 1) else mann_whitney_law(a, n - a)$laws[[1]]
  list(score = normalised_score(law$score, a, n, share), weight = law$weight)
}

# -- pairs of which many are alike -----------------------------------------------------------------------

# As many above 0 as below it: of m rows that are not 0 the difference is a walk of m fair steps, whose tails
# beyond 0 rise with m by steps of two, with noise as without it. (What is left out is below 1e-80.)
balance_law <- function(n) {
  laws <- lapply(unique(pmax(0, c(n, n - 1))), function(m) {
    reach <- min(m / 2, 20 * sqrt(m))
    up <- unique(floor(seq(m / 2 - reach, m / 2 + reach, length.out = min(m + 1, 2 * short_law))))
    list(score = 2 * c(0, up[-length(up)] + 1)[seq_along(up)] - m,
         weight = diff(c(0, stats::pbinom(up, m, 0.5))))
  })
  list(ends = 0, outer = TRUE, laws = laws)
}
