import './account.ts'

export { ChainObjection } from '../parts/receiver/ChainObjection.tsx'
export { ChooseContact } from '../parts/receiver/ChooseContact.tsx'
export { FollowReceiver } from '../parts/receiver/FollowReceiver.tsx'
export { ReceiverSuggestions } from '../parts/receiver/ReceiverSuggestions.tsx'
export { SaveReceiver } from '../parts/receiver/SaveReceiver.tsx'
