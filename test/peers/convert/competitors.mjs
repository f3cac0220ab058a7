import { smartOrderRouter } from './peers/smartOrderRouter.mjs'
import { v2Sdk } from './peers/v2Sdk.mjs'
import { v3Sdk } from './peers/v3Sdk.mjs'

/** @typedef {{ out: string, quoting?: number }} Found */

/**
 * The routers that ours is compared with. The limit is in milliseconds for one query: a search that takes longer is ended and counts as that long.
 * Three hops in v3-sdk are left out: it refuses markets in which two pools of a pair have the same fee.
 *
 * @type {Record<string, { name: string, limit: number, start: (market: import('./market.mjs').Market) => (query: any) => Found | Promise<Found> }>}
 */
export const competitors = {
  sor: {
    name: 'smart-order-router, v2 and v3',
    limit: 30_000,
    start: (market) => smartOrderRouter(market),
  },
  sorMixed: {
    name: 'smart-order-router, v2, v3 and mixed',
    limit: 30_000,
    start: (market) => smartOrderRouter(market, { mixed: true }),
  },
  v3: { name: 'v3-sdk, 2 hops, v3 pools', limit: 10_000, start: (market) => v3Sdk(market, { maxHops: 2 }) },
  v2: { name: 'v2-sdk, 2 hops, v2 pools', limit: 10_000, start: (market) => v2Sdk(market, { maxHops: 2 }) },
  v2Far: { name: 'v2-sdk, 3 hops, v2 pools', limit: 3_000, start: (market) => v2Sdk(market, { maxHops: 3 }) },
}
