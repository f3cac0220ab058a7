import type { SomeWarningTexts } from '../preview/warningTexts.ts'

/** What the warnings of previews say in English, where that of the service is not that of the sheets. */
export const warnings: SomeWarningTexts = {
  unknownAccount: 'an unknown account',
  sentences: {
    DRAINS: 'Almost all you have of this token would go to {value}. You would get nothing for it.',
    HIDDEN_TRANSFER: 'This takes more than the request says. It would go to {value}.',
    HIDDEN_NEARLY_ALL:
      'Almost all you have of this token would go to {value}. Check what you would get for it.',
    HIDDEN_PART: 'What you send goes to {value}. Check what you get for it.',
    UNLIMITED_APPROVAL: '{value} could take all you have of this token, at any time.',
    APPROVAL_FOR_ALL: '{value} could take your whole collection, at any time.',
    SIGNED_APPROVAL: 'With this signature, {value} can take your tokens. No transaction is needed.',
    SPENDER_PERSON: '{value} is a person’s account, not an app’s contract.',
    SPENDER_PERSON_NOT_PROGRAM: '{value} is a person’s account, not an app’s program.',
    UNKNOWN_CODE: 'Your account would run unknown code. It could take everything you own.',
    NOT_SIMULATED: 'This couldn’t be checked. It may do more than is shown.',
    UNKNOWN_FUNCTION: 'This calls an unknown function.',
    UNKNOWN_PROGRAM: 'This runs an unknown program. It may do something else once it’s sent.',
    OPERATION: 'With this signature, anyone can send these calls from your account.',
    DURABLE_NONCE: 'This never expires. It can be sent at any later time, and may do more then.',
    ORDER: 'This puts what you own up for sale. Check what you would get for it.',
    OTHER_SITE: 'This signs in at {value}, not at the site that asks for it.',
    OTHER_CHAIN: 'This is for another network, with the chain ID {value}.',
    BLIND: 'What this signs can’t be shown. It could be anything.',
    BEHAVES_DIFFERENTLY: 'This hides what it does. Once it’s sent, it may do something else than is shown.',
    MAY_KEEP: 'This contract is unknown. It may keep up to {value}.',
    REVERTS_UNKNOWN:
      'This would fail now. Its contract is unknown, and may do something else once it’s sent.',
    SPENDER_PUBLIC: 'Anyone can use {value}. Whoever is first could take what you allow.',
    UNKNOWN_STATEMENT: 'What this signature allows isn’t known.',
    TRANSFER_ELSEWHERE: 'This moves what you have at another service. It would go to {value}.',
  },
  causes: {
    CHAIN_UNAVAILABLE: 'The network doesn’t answer',
    UNSUPPORTED: 'The network can’t check this',
    NATIVE_LOW: 'You don’t have enough of the network’s own token',
    FEE_LOW: 'The account that pays the fee doesn’t have enough for it',
    TOKEN_LOW: 'You don’t have enough of this token',
    RENT_LOW: 'An account would be left with too little to exist',
  },
}
