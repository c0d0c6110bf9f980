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
