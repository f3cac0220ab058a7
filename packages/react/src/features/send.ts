import './account.ts'

export { NftDetailView } from '../views/NftDetail/NftDetailView.tsx'
export { TransactionStatusView } from '../views/TransactionStatus/TransactionStatusView.tsx'
export { WalletSendView } from '../views/WalletSend/WalletSendView.tsx'
export { WalletSendNftView } from '../views/WalletSendNft/WalletSendNftView.tsx'
export { WalletSendPreviewView } from '../views/WalletSendPreview/WalletSendPreviewView.tsx'
export { WalletSendSelectTokenView } from '../views/WalletSendSelectToken/WalletSendSelectTokenView.tsx'
