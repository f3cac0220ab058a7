import './account.ts'
import './pairing.ts'

export { WalletReceiveView } from '../views/WalletReceive/WalletReceiveView.tsx'
