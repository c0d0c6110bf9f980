# Progress bars: what moves them, and that private mechanisms have none.

# What a bar is told while `code` runs: the shares that are done, and whether it was closed.
bar_of <- function(code) {
  seen <- list(labels = NULL, shares = NULL, closed = 0)
  open <- function(label) {
    seen$labels <<- c(seen$labels, label)
    list(move = function(done, total) seen$shares <<- c(seen$shares, done / total),
         close = function() seen$closed <<- seen$closed + 1)
  }
  old <- options(dpdepth.progress = TRUE)
  on.exit(options(old))
  with_bindings(list(open_bar = open), code)
  seen
}

test_that("depths, medians and regressions move a bar up to the end, and close it", {
  x <- as.matrix(faithful)
  u <- directions(2, 50)
  calls <- list(
    function() depth_halfspace(x, x), function() depth_halfspace(x, x, "directional", u),
    function() depth_simplicial(x[1:20, ], x[1:20, ]), function() depth_simplicial(x[1:5, ], x, tuples = 100),
    function() depth_spatial(x, x), function() depth_irw(x, x, u), function() depth_idd(x, x, directions = u),
    function() depth_idd(x, x, 10, u), function() outlyingness(x, x, directions = u),
    # the median, a line, all fits through rows, and steps
    function() median_tukey(x, "directional", u), function() regress_deepest(eruptions ~ waiting, faithful),
    function() regress_deepest(stack.loss ~ Air.Flow + Water.Temp, stackloss, directions = 20),
    function() regress_deepest(Petal.Width ~ Petal.Length + Sepal.Length, iris, directions = 20)
  )
  for (call in calls) {
    seen <- bar_of(call())
    expect_length(seen$labels, 1)
    expect_false(is.unsorted(seen$shares, strictly = TRUE))
    expect_identical(seen$shares[[length(seen$shares)]], 1)
    expect_identical(seen$closed, 1)
  }
  expect_null(progress$move)
})

test_that("a bar is closed after an error, is not opened within another, and not where none is wanted", {
  seen <- bar_of(try(with_progress_bar("outer", {
    with_progress_bar("inner", move_progress(1, 4))
    stop("on the way")
  }), silent = TRUE))
  expect_identical(seen, list(labels = "outer", shares = 0.25, closed = 1))
  expect_null(progress$move)
  old <- options(dpdepth.progress = FALSE)
  on.exit(options(old))
  expect_identical(with_progress_bar("none", 3, open = function(label) stop("opened")), 3)
})

test_that("private releases open no bar", {
  seen <- bar_of({
    dp_median(faithful, 1, lower = 0, upper = c(10, 180))
    dp_median(faithful$waiting, 1, 1e-6, lower = 0, upper = 180, method = "smooth")
    dp_depth(faithful[1:3, ], faithful, 1)
    dp_region(faithful, 0.5, 1, lower = 0, upper = c(10, 180))
    dp_regression(waiting ~ eruptions, faithful, 1, lower = -100, upper = 100)
  })
  expect_null(seen$labels)
})

test_that("cli's bar opens, moves and closes", {
  skip_if_not_installed("cli")
  bar <- open_bar("any")
  expect_silent(bar$move(1, 2))
  expect_silent(bar$close())
})
