import { adoptStyles } from '../modal/adoptStyles.ts'
import { pairingStyles } from '../styles/pairing.gen.ts'
import './shell.ts'

export { SilentWallet } from '../parts/pairing/SilentWallet.tsx'
export { AllWalletsView } from '../views/AllWallets/AllWalletsView.tsx'
export { ConnectingSiweView } from '../views/ConnectingSiwe/ConnectingSiweView.tsx'
export { ConnectingWalletConnectView } from '../views/ConnectingWalletConnect/ConnectingWalletConnectView.tsx'
export { ConnectingWalletConnectBasicView } from '../views/ConnectingWalletConnectBasic/ConnectingWalletConnectBasicView.tsx'
export { ConnectOnPhoneView } from '../views/ConnectOnPhone/ConnectOnPhoneView.tsx'

adoptStyles(pairingStyles)
