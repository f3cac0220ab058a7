import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dumpState, startAnvil } from './anvil.mjs'
import { chainPlans } from './chains.mjs'
import { compileContracts } from './compile.mjs'
import { deploy, planDeployment } from './deploy.mjs'
import { describeChain, describeDevnet } from './manifest.mjs'
import { uniswapContracts } from './uniswap.mjs'

/**
 * Builds every local chain from its plan, on nodes that are gone afterwards.
 *
 * @returns {Promise<{
 *   manifest: import('./manifest.mjs').Manifest,
 *   fingerprints: Record<number, string>,
 *   states: [number, Buffer][],
 * }>} states by chain id, in the form that anvil loads
 */
export async function buildChains() {
  const artifacts = { ...uniswapContracts(), ...compileContracts() }
  const logs = mkdtempSync(join(tmpdir(), 'hawser-devnet-'))
  try {
    const built = await Promise.all(
      chainPlans.map((plan) =>
        buildChain(plan, planDeployment(plan, artifacts), join(logs, `${plan.chainId}.log`)),
      ),
    )
    return {
      manifest: describeDevnet(built.map(({ chain }) => chain)),
      fingerprints: Object.fromEntries(built.map(({ chain, fingerprint }) => [chain.chainId, fingerprint])),
      states: built.map(({ chain, state }) => [chain.chainId, state]),
    }
  } finally {
    rmSync(logs, { recursive: true, force: true })
  }
}

/**
 * @param {import('./chains.mjs').ChainPlan} plan
 * @param {import('./deploy.mjs').Deployment} deployment
 * @param {string} log
 */
async function buildChain(plan, deployment, log) {
  const node = await startAnvil({ chainId: plan.chainId, port: 0, log })
  try {
    await deploy(node.url, plan.chainId, deployment)
    return {
      chain: describeChain(plan, node.url, deployment),
      fingerprint: deployment.fingerprint,
      state: await dumpState(node.url),
    }
  } finally {
    await node.child.stop()
  }
}
