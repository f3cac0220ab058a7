import { adoptStyles } from '../modal/adoptStyles.ts'
import { connectedStyles } from '../styles/connected.gen.ts'
import './shell.ts'

export { AccountView } from '../views/Account/AccountView.tsx'

adoptStyles(connectedStyles)
