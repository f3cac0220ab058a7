// Generated from packages/texts/languages by make generate. Do not edit.

import { pluralsOf } from '../../format/plurals.ts'
import type { HandoffTexts } from '../types.ts'

const plural = pluralsOf('fr')

/** The texts of the wallet page in French. */
export const texts: HandoffTexts = {
  title: 'Connectez votre wallet',
  site: 'le site',
  loading: 'Chargement…',
  tryAgain: 'Réessayer',
  finding: { title: 'Recherche de votre wallet' },
  noWallet: { title: 'Aucun wallet ici', text: 'Ce navigateur n’a pas de wallet. Ouvrez ce lien dans le navigateur de l’application de votre wallet.', copy: 'Copier le lien', copied: 'Lien copié', notCopied: 'Copiez le lien d’ici :' },
  choosing: { title: 'Quel wallet voulez-vous utiliser ?' },
  taken: { title: 'Ouvert d’abord ailleurs', text: 'Un autre appareil a ouvert ce lien avant celui-ci. Si ce n’était pas vous, ne confirmez rien sur l’autre écran. Demandez un nouveau code sur le site.' },
  expired: { title: 'Ce lien a expiré', text: 'Demandez un nouveau code sur le site et scannez-le.' },
  unreached: { title: 'Échec de la connexion', text: 'Vérifiez votre connexion et réessayez.' },
  comparing: { title: 'Comparez les nombres', asks: (site) => `${site} souhaite se connecter à votre wallet.`, number: 'Votre nombre', question: 'L’autre écran affiche-t-il le même nombre ?', confirm: 'Oui, c’est le même', differ: 'Non, ils diffèrent', waiting: 'En attente de l’autre écran…' },
  waiting: { title: 'Confirmez sur l’autre écran', text: 'Votre wallet vous demandera ensuite quel compte partager.' },
  asking: { title: 'Continuez dans votre wallet', text: (site) => `Votre wallet demande quel compte partager avec ${site}.` },
  declined: { title: 'Non connecté', differ: 'Les nombres diffèrent : quelqu’un d’autre a peut-être ouvert le lien. Rien n’a été partagé. Demandez un nouveau code sur le site.', text: 'Rien n’a été partagé avec le site.', unsupported: 'Votre wallet n’a aucun réseau que le site utilise.' },
  connected: { title: 'Connecté', keepOpen: 'Gardez cette page ouverte pendant que vous utilisez le site.', account: 'Compte', network: 'Réseau', wallet: 'Wallet', disconnect: 'Déconnecter', disconnectFrom: (site) => `Déconnecter de ${site}`, notStored: 'Ce navigateur n’enregistre rien. La connexion se termine à la fermeture de cette page.', lost: 'Connexion perdue. Reconnexion…', resumed: 'De nouveau connecté', others: 'Autres sites' },
  ended: { title: 'Déconnecté', text: 'Pour vous reconnecter, demandez un nouveau code sur le site.' },
  request: { kind: { message: 'Signer un message', data: 'Signer des données', send: 'Envoyer une transaction', transaction: 'Signer une transaction', permission: 'Donner une autorisation', other: 'Demande' }, asks: (site) => `${site} le demande.`, give: 'Continuer dans votre wallet', reject: 'Refuser', given: 'Confirmez dans votre wallet', more: (count) => plural(count, { one: '1 autre demande attend', other: `${count} autres demandes attendent` }), done: 'C’est fait. Vous pouvez continuer sur le site.', refused: 'Refusé. Rien n’a été signé.', failed: 'Votre wallet n’a pas pu le faire.', lost: 'La page a été rechargée pendant que votre wallet était sollicité. Vérifiez dans votre wallet si cela a été fait.' },
  preview: { checking: 'Vérification de ce que cela ferait…', unchecked: 'Cela n’a pas pu être vérifié. L’effet peut dépasser ce qui est affiché.', fails: 'Cela échouerait.', leaves: 'Vous envoyez', arrives: 'Vous recevez', mayTake: 'Peut dépenser', mayNoLongerTake: 'Ne peut plus dépenser', all: (token) => `tous les ${token}`, tokens: 'jetons', baseUnits: 'unités de base', to: 'À', amount: 'Montant', message: 'Message', details: 'Détails', deploys: 'Crée un contrat' },
}
