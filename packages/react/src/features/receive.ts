import './account.ts'

export { ConnectOnPhoneView } from '../views/ConnectOnPhone/ConnectOnPhoneView.tsx'
export { WalletReceiveView } from '../views/WalletReceive/WalletReceiveView.tsx'
