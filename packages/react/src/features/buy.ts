import './account.ts'

export { BuyInProgressView } from '../views/BuyInProgress/BuyInProgressView.tsx'
export { OnRampActivityView } from '../views/OnRampActivity/OnRampActivityView.tsx'
export { OnRampFiatSelectView } from '../views/OnRampFiatSelect/OnRampFiatSelectView.tsx'
export { OnRampProvidersView } from '../views/OnRampProviders/OnRampProvidersView.tsx'
export { OnRampTokenSelectView } from '../views/OnRampTokenSelect/OnRampTokenSelectView.tsx'
export { WhatIsABuyView } from '../views/WhatIsABuy/WhatIsABuyView.tsx'
