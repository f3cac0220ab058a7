/**
 * Starts a version of AppKit as a site that uses it would, and leaves the modal at `window.modal`. The journey sets `window.settings` first: the options
 * that a site would have in its own code.
 *
 * @param {object} version what its packages export
 * @param {Function} version.createAppKit
 * @param {Function} version.defineChain
 * @param {new () => object} version.EthersAdapter
 */
export function start({ createAppKit, defineChain, EthersAdapter }) {
  const page = /** @type {any} */ (window)
  const { projectId, network, features } = page.settings
  page.modal = createAppKit({
    adapters: [new EthersAdapter()],
    networks: [defineChain(network)],
    projectId,
    metadata: { name: 'Old client', description: 'A site of an old client', url: location.origin, icons: [] },
    features: { analytics: false, email: false, socials: false, ...features },
  })
}
