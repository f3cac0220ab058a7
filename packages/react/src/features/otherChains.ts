import { adoptStyles } from '../modal/adoptStyles.ts'
import { namespacesStyles } from '../styles/namespaces.gen.ts'
import './account.ts'

export { FeeSpeedChoice } from '../parts/namespaces/FeeSpeedChoice.tsx'
export { KeptOutputs } from '../parts/namespaces/KeptOutputs.tsx'
export { NamespaceRows } from '../parts/namespaces/NamespaceRows.tsx'
export { OrdinalNote } from '../parts/namespaces/OrdinalNote.tsx'
export { RequestForm } from '../parts/request/RequestForm.tsx'

adoptStyles(namespacesStyles)
