import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))

/** The root of the repository. */
export const repository = join(here, '..', '..', '..')

/** Where everything that outlives a run is kept: chain state, logs, caches. */
export const stateDirectory = join(repository, '.hawser')

/** The root of this package. */
export const packageDirectory = join(here, '..')

/** The Solidity sources of the contracts on the local chains. */
export const contractsDirectory = join(packageDirectory, 'contracts')
