import './account.ts'

export { WalletCompatibleNetworksView } from '../views/WalletCompatibleNetworks/WalletCompatibleNetworksView.tsx'
export { WalletReceiveView } from '../views/WalletReceive/WalletReceiveView.tsx'
