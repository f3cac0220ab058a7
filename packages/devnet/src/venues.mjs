/**
 * A router and the factories whose pools it trades.
 * @typedef {object} VenueManifest
 * @property {string} name
 * @property {'swap-router-02' | 'v2-router' | 'v3-router' | 'algebra-router'} kind
 * @property {`0x${string}`} router
 * @property {{ factory: `0x${string}`, feeNumerator: number, feeDenominator: number, initCodeHash: `0x${string}` }} [v2]
 * @property {{ factory: `0x${string}` }} [algebra]
 * @property {{ factory: `0x${string}`, quoter: `0x${string}`, fees: number[] }} [v3] fees in hundredths of a basis point
 */

/** What a v2 pool leaves of what is paid in. */
const pairFee = { feeNumerator: 997, feeDenominator: 1000 }

/**
 * @param {import('./exchanges.mjs').VenuePlan[]} venues
 * @param {(id: string) => `0x${string}`} address of a contract
 * @param {`0x${string}`} initCodeHash of a v2 pool
 * @returns {VenueManifest[]}
 */
export function describeVenues(venues, address, initCodeHash) {
  return venues.map(({ id, name, kind, fees }) => ({
    name,
    kind,
    router: address(kind === 'v2-router' ? `${id} V2Router` : `${id} Router`),
    ...(kind === 'algebra-router' && { algebra: { factory: address(`${id} Factory`) } }),
    ...((kind === 'v2-router' || kind === 'swap-router-02') && {
      v2: { factory: address(`${id} V2Factory`), ...pairFee, initCodeHash },
    }),
    ...(fees && { v3: { factory: address(`${id} V3Factory`), quoter: address(`${id} Quoter`), fees } }),
  }))
}
