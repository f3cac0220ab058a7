import './account.ts'

export { SwapView } from '../views/Swap/SwapView.tsx'
export { SwapPreviewView } from '../views/SwapPreview/SwapPreviewView.tsx'
export { SwapSelectTokenView } from '../views/SwapSelectToken/SwapSelectTokenView.tsx'
