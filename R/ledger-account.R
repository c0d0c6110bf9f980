# What a ledger keeps: the costs of releases in two accounts, and what their sums imply.

# How far the sum of the spends may pass the total, relatively: a third three times must fit.
budget_slack <- 1e-10

# The cost of a release in basic composition, epsilon and delta, and in zero-concentrated privacy, rho and
# `approximate`: an (epsilon, delta) release is delta-approximately epsilon^2/2-zCDP (Bun and Steinke, 2016,
# lemma 8.8). `rho`: a smaller cost, with no delta beside it. `unproved` counts releases without a proof.
release_cost <- function(epsilon, delta, rho = NULL, guarantee = "pure") {
  implied <- epsilon^2 / 2 * (1 + 1e-12)
  c(epsilon = as.double(epsilon), delta = as.double(delta), rho = if (is.null(rho)) implied else rho,
    approximate = if (is.null(rho)) as.double(delta) else 0, unproved = as.double(!is_proved(guarantee)))
}

# The sums that a ledger refuses to pass: of the account or the accounts that its budget is given in.
budget_caps <- function(ledger) {
  total <- ledger$total
  c(epsilon = total[["epsilon"]], delta = if (is.finite(total[["epsilon"]])) total[["delta"]] else Inf,
    rho = total[["rho"]], approximate = if (is.finite(total[["rho"]])) total[["delta"]] else Inf,
    unproved = Inf)
}

# The list of spends, which can be read and added to. To add one takes the same time however many there are:
# each has a place of its own in `entries`, and the sums are kept, with what rounding took from them.
new_account <- function() {
  entries <- new.env(hash = TRUE, parent = emptyenv())
  none <- 0 * release_cost(0, 0)
  state <- list(count = 0, sum = none, error = none)
  list(
    # evaluates `code`, in which nobody else spends
    hold = function(code) code,
    spent = function(more = none) with_spend(state, more)$sum + with_spend(state, more)$error,
    spends = function() {
      rows <- unname(mget(entry_key(seq_len(state$count)), entries))
      costs <- function(unit) vapply(rows, function(row) row$cost[[unit]], 0)
      data.frame(label = vapply(rows, `[[`, "", "label"), epsilon = costs("epsilon"), delta = costs("delta"),
                 rho = costs("rho"))
    },
    add = function(label, cost) {
      after <- with_spend(state, cost)
      assign(entry_key(after$count), list(label = label, cost = cost), entries)
      # an entry counts from here on: one assignment, so that an interrupt comes before or after it
      state <<- after
    }
  )
}

entry_key <- function(k) sprintf("%.0f", k)

# Sums without loss: `error` is what the rounded additions have dropped so far (Knuth's exact sum of two).
with_spend <- function(state, spend) {
  sum <- state$sum + spend
  back <- sum - state$sum
  lost <- (state$sum - (sum - back)) + (spend - back)
  lost[!is.finite(sum)] <- 0
  list(count = state$count + 1, sum = sum, error = state$error + lost)
}

# The least epsilon that the sums of `spent` imply at `delta`, and by which account. Rounded up.
composed_epsilon <- function(spent, delta) {
  basic <- if (spent[["delta"]] <= delta * (1 + budget_slack)) spent[["epsilon"]] else Inf
  # an approximate release fails with its delta, and what is left converts rho
  zcdp <- zcdp_epsilon(spent[["rho"]], delta - spent[["approximate"]])
  data.frame(epsilon = min(basic, zcdp), delta = delta, account = if (zcdp < basic) "zCDP" else "basic",
             epsilon_basic = basic, epsilon_zcdp = zcdp, proved = spent[["unproved"]] == 0)
}

# -- zero-concentrated privacy: how much of it an (epsilon, delta) budget buys -----------------------------

# The largest rho, rounded down, such that rho-zCDP implies (epsilon, delta)-DP by
#   delta = min over a > 1 of exp((a - 1)(a rho - epsilon)) (1 - 1/a)^a/(a - 1)
# (Canonne, Kamath and Steinke, 2020, Corollary 13). Any a gives a valid rho, so that the search need not be
# exact; the terms' rounding errors are taken off the numerator.
zcdp_rho <- function(epsilon, delta) {
  rho_at <- function(t) { # a = 1 + exp(t)
    less <- exp(t)
    a <- 1 + less
    terms <- c(epsilon * less, log(delta), a * log1p(1 / less), t)
    (sum(terms) - 1e-13 * sum(abs(terms))) / (a * less)
  }
  # where to look; what is found is bounded by rho_at() alone, which holds for every t
  t <- seq(-20, 25, by = 0.05)
  less <- exp(t)
  at <- t[[which.max((epsilon * less + log(delta) + (1 + less) * log1p(1 / less) + t) / ((1 + less) * less))]]
  best <- stats::optimize(rho_at, at + c(-0.05, 0.05), maximum = TRUE)$objective
  max(0, best, rho_at(at)) * (1 - 1e-12)
}

# The least epsilon, rounded up, such that rho-zCDP implies (epsilon, delta)-DP by the same formula. Any order
# a gives a valid epsilon.
zcdp_epsilon <- function(rho, delta) {
  if (rho == 0 && delta >= 0) return(0)
  if (rho == Inf || delta <= 0) return(Inf)
  epsilon_at <- function(t) { # a = 1 + exp(t)
    less <- exp(t)
    a <- 1 + less
    terms <- c(-log(delta), -a * log1p(1 / less), -t) / less
    a * rho + sum(terms) + 1e-13 * (a * rho + sum(abs(terms)))
  }
  t <- seq(-20, 25, by = 0.05)
  at <- t[[which.min(vapply(t, epsilon_at, 0))]]
  best <- stats::optimize(epsilon_at, at + c(-0.05, 0.05))$objective
  max(0, min(best, epsilon_at(at))) * (1 + 1e-12)
}

# Composed medians, one per variable: epsilon of each, rounded down, and the delta that is spent, from public
# numbers only. Where basic composition gives as much, no delta is spent.
marginal_budget <- function(epsilon, delta, d) {
  down <- 1 - 2^-40
  basic <- epsilon / d * down
  rho <- if (delta > 0) zcdp_rho(epsilon, delta) else 0
  composed <- sqrt(8 * rho / d) * down
  if (composed <= basic) return(list(each = basic, delta = 0, rho = NULL))
  list(each = composed, delta = delta, rho = rho)
}
