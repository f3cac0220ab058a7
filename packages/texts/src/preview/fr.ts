import type { WarningTexts } from './warningTexts.ts'

/** What the warnings and reasons of a preview say in French. */
export const warnings: WarningTexts = {
  unknownAccount: 'un compte inconnu',
  sentences: {
    DRAINS: 'Presque tout ce que vous en avez irait à {value}, sans contrepartie.',
    HIDDEN_TRANSFER: 'Il sortirait de votre compte plus que ce que dit la demande. Destination : {value}.',
    HIDDEN_NEARLY_ALL:
      'Presque tout ce que vous en avez irait à {value}. Comparez avec ce que vous recevriez.',
    HIDDEN_PART: 'Ce que vous envoyez va à {value}. Comparez avec ce que vous recevez.',
    UNLIMITED_APPROVAL: '{value} pourrait prendre tout ce que vous avez de ce jeton, à tout moment.',
    APPROVAL_FOR_ALL: '{value} pourrait prendre tous les jetons de cette collection, à tout moment.',
    SIGNED_APPROVAL:
      'Cette signature suffit pour que {value} prenne des jetons. Aucune transaction de votre part n’est nécessaire.',
    SPENDER_PERSON: '{value} est le compte d’une personne, pas un contrat.',
    SPENDER_PERSON_NOT_PROGRAM: '{value} est le compte d’une personne, pas celui d’un programme.',
    CODE_REPLACED: 'Le code de ce contrat serait remplacé par le code de {value}.',
    CONTRACT_GIVEN: 'Ce contrat appartiendrait à {value}.',
    UNKNOWN_CODE: 'Votre compte exécuterait un code inconnu. Il pourrait prendre tout ce que vous possédez.',
    IMITATION: 'Ce jeton en imite un autre ou fait la publicité d’un site. Il ne vaut peut-être rien.',
    REVERTS: 'Cela échouerait et coûterait ses frais.',
    NOT_SIMULATED: 'Cela n’a pas pu être simulé. L’effet peut dépasser ce qui est affiché.',
    UNKNOWN_FUNCTION: 'Ce qui est appelé ici n’est pas connu.',
    UNKNOWN_PROGRAM: 'Cela exécute un programme inconnu. Une fois envoyé, il peut faire autre chose.',
    DELEGATION: '{value} pourrait agir pour votre compte.',
    OPERATION: 'Cette signature permet à n’importe qui d’envoyer ces appels pour votre compte.',
    DURABLE_NONCE:
      'Cette signature n’expire pas. Elle peut être envoyée à tout moment plus tard, et faire alors plus que ce qui est affiché.',
    ORDER: 'Cela met en vente ce que vous possédez. Vérifiez ce que vous recevriez.',
    OTHER_SITE: 'Cela vous connecte à {value}, qui n’est pas le site qui le demande.',
    OTHER_CHAIN: 'Cela est destiné à un autre réseau, dont l’identifiant est {value}.',
    BLIND: 'Ce que cela signe ne peut pas être affiché. Cela pourrait être n’importe quoi.',
    ACCOUNT_GIVEN:
      'Votre compte lui-même appartiendrait au programme {value}. Vous ne pourriez plus l’utiliser.',
    TOKEN_ACCOUNT_GIVEN: 'Votre compte de jeton appartiendrait à {value}, avec tout ce qu’il contient.',
    CLOSING_GIVEN: '{value} pourrait fermer votre compte de jeton et en prendre les SOL.',
    AUTHORITY_LOST: 'Vous perdriez un droit sur ce jeton.',
    STAKE_GIVEN: '{value} pourrait retirer tout ce que contient ce compte qui est le vôtre.',
    ACCOUNT_CLOSED: 'Votre compte de jeton serait fermé. Ses SOL iraient à {value}.',
    BEHAVES_DIFFERENTLY:
      'Le comportement change quand il est observé. Une fois envoyé, l’effet peut différer de ce qui est affiché.',
    MAY_KEEP: 'Ce contrat n’est pas connu. Il peut garder jusqu’à {value}.',
    REVERTS_UNKNOWN:
      'Cela échouerait maintenant. Son contrat n’est pas connu et peut faire autre chose une fois envoyé.',
    SPENDER_PUBLIC:
      'N’importe qui peut commander {value}. Le premier venu pourrait prendre ce que vous lui autorisez.',
    UNKNOWN_STATEMENT: 'Ce que cette signature autorise ne peut pas être compris.',
    TRANSFER_ELSEWHERE: 'Cela déplace ce que vous avez auprès d’un autre service. Destination : {value}.',
    OTHER_NETWORK:
      'Cette transaction n’est pas pour ce réseau, ou elle a expiré. Elle peut être envoyée sur un autre réseau, où elle n’a pas été simulée.',
    NOT_GUARANTEED:
      'Presque tout ce que vous en avez irait à {value}. La demande ne garantit pas ce que vous recevriez.',
    TABLE_INCOMPLETE:
      'Une table ne contient pas encore tous les comptes de cette transaction. Après l’envoi, elle peut désigner d’autres comptes que ceux affichés.',
    BORROWS: '{value} pourrait emprunter en votre nom. La dette serait la vôtre.',
    OPERATION_OF_OTHER: 'Cette signature permet à n’importe qui d’envoyer des appels pour le compte {value}.',
    TOO_MUCH: 'Cela fait plus que ce qui peut être affiché.',
  },
  causes: {
    CHAIN_UNAVAILABLE: 'Le réseau ne répond pas',
    UNSUPPORTED: 'Les nœuds du réseau ne peuvent pas simuler cela',
    NATIVE_LOW: 'Le compte a trop peu de la monnaie du réseau',
    FEE_LOW: 'Le compte qui paie les frais n’a pas assez pour cela',
    TOKEN_LOW: 'Le compte a trop peu du jeton',
    RENT_LOW: 'Il resterait trop peu à un compte pour exister',
    EXPIRED: 'Cette transaction a expiré',
    ALREADY_SENT: 'Cette transaction a déjà été envoyée',
    FROZEN: 'Le compte du jeton est gelé',
    MALFORMED: 'La transaction est mal formée',
    TOO_LARGE: 'La transaction est trop grande pour un bloc',
    OTHER_NETWORK: 'La transaction n’est pas pour ce réseau, ou elle a expiré',
  },
}
