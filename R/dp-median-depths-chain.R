# Markov chains over depths other than halfspace depth: which there are, and how long they run.

# Depths that are sums over directions: their chains have Langevin steps.
is_integrated <- function(depth) depth %in% c("irw", "idd", "idd_smooth")

# What kernels have room for.
most_chain_variables <- function(depth) {
  switch(depth, simplicial = 3L, spatial = , spatial_modified = 255L, 1000L)
}

# Never a chain unless it is asked for: no privacy is proved for a finite run of one.
check_depth_sampler <- function(sampler, depth) {
  sampler <- check_choice(sampler, depth_samplers, "sampler")
  if (sampler == "langevin" && depth != "idd_smooth") {
    must <- sprintf("\"auto\", \"exact\" or \"mcmc\" with depth = \"%s\"", depth)
    stop_input("sampler", must, "\"langevin\"",
               "The published Langevin chain is for depth = \"idd_smooth\".")
  }
  if (sampler == "auto") "exact" else sampler
}

depth_samplers <- c("auto", "exact", "mcmc", "langevin")

# Langevin steps move all variables at once.
depth_chain_size <- function(chains, steps, d, depth, minimum = 1L) {
  if (!is_integrated(depth)) return(chain_size(chains, steps, d, minimum))
  chain_size(chains, steps, d, minimum, default = max(2000L, 40L * d))
}
