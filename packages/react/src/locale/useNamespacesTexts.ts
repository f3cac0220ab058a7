import { namespaces } from '@hawser/texts/en/namespaces'
import { textsOf } from './textsOf.ts'

export const useNamespacesTexts = textsOf('namespaces', namespaces)
