import { adoptStyles } from '../modal/adoptStyles.ts'
import { namespacesStyles } from '../styles/namespaces.gen.ts'
import './account.ts'

export { FeeSpeedChoice } from '../parts/namespaces/FeeSpeedChoice.tsx'
export { NamespaceRows } from '../parts/namespaces/NamespaceRows.tsx'
export { RequestForm } from '../parts/request/RequestForm.tsx'

adoptStyles(namespacesStyles)
