import { adoptStyles } from '../modal/adoptStyles.ts'
import { namespacesStyles } from '../styles/namespaces.gen.ts'
import './shell.ts'

export { ConnectingMultiChainView } from '../views/ConnectingMultiChain/ConnectingMultiChainView.tsx'
export { SwitchActiveChainView } from '../views/SwitchActiveChain/SwitchActiveChainView.tsx'

adoptStyles(namespacesStyles)
