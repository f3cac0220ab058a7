import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * Where the npm packages of Uniswap and Algebra keep what their compilers made. They are under the GPL and installed for development only: the
 * local chains run their bytecode as it was published, and nothing of it is in this repository or in a release.
 */
const published = {
  WETH9: '@uniswap/v2-periphery/build/WETH9.json',
  UniswapV2Factory: '@uniswap/v2-core/build/UniswapV2Factory.json',
  UniswapV2Pair: '@uniswap/v2-core/build/UniswapV2Pair.json',
  UniswapV2Router02: '@uniswap/v2-periphery/build/UniswapV2Router02.json',
  UniswapV3Factory: '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json',
  NonfungiblePositionManager:
    '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  SwapRouter: '@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json',
  SwapRouter02: '@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json',
  QuoterV2: '@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json',
  TickLens: '@uniswap/v3-periphery/artifacts/contracts/lens/TickLens.sol/TickLens.json',
  AlgebraFactory: '@cryptoalgebra/v1-core/artifacts/contracts/AlgebraFactory.sol/AlgebraFactory.json',
  AlgebraPoolDeployer:
    '@cryptoalgebra/v1-core/artifacts/contracts/AlgebraPoolDeployer.sol/AlgebraPoolDeployer.json',
  AlgebraPositions:
    '@cryptoalgebra/periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  AlgebraRouter: '@cryptoalgebra/periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json',
}

/**
 * Reads the contracts of exchanges.
 *
 * @returns {Record<string, import('./compile.mjs').Artifact>} by contract name
 * @throws {Error} when the packages are not installed
 */
export function uniswapContracts() {
  const { resolve } = createRequire(import.meta.url)
  return Object.fromEntries(
    Object.entries(published).map(([name, path]) => {
      const { abi, bytecode } = JSON.parse(readFileSync(resolve(path), 'utf8'))
      return [name, { abi, bytecode: bytecode.startsWith('0x') ? bytecode : `0x${bytecode}` }]
    }),
  )
}
