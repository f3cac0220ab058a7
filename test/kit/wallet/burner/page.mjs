// Registers a third-party wallet by the Wallet Standard: wallet-adapter's burner wallet, unmodified, whose
// key is random.
import { UnsafeBurnerWalletAdapter } from '@solana/wallet-adapter-unsafe-burner'
import { SolanaWalletAdapterWallet } from '@solana/wallet-standard-wallet-adapter-base'
import { registerWallet } from '@wallet-standard/wallet'

const { rpcUrl } = /** @type {{ rpcUrl: string }} */ (/** @type {any} */ (globalThis).burnerWallet)
const wallet = new SolanaWalletAdapterWallet(new UnsafeBurnerWalletAdapter(), 'solana:localnet', rpcUrl)
registerWallet(/** @type {Parameters<typeof registerWallet>[0]} */ (/** @type {unknown} */ (wallet)))
