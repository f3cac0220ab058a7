// Generated from packages/texts/languages by make generate. Do not edit.

import { pluralsOf } from '../../format/plurals.ts'
import type { HandoffTexts } from '../types.ts'

const plural = pluralsOf('es')

/** The texts of the wallet page in Spanish. */
export const texts: HandoffTexts = {
  title: 'Conecta tu wallet',
  site: 'el sitio',
  loading: 'Cargando…',
  tryAgain: 'Reintentar',
  finding: { title: 'Buscando tu wallet' },
  noWallet: { title: 'Aquí no hay ninguna wallet', text: 'Este navegador no tiene wallet. Abre este enlace en el navegador de la app de tu wallet.', copy: 'Copiar enlace', copied: 'Enlace copiado', notCopied: 'Copia el enlace desde aquí:' },
  choosing: { title: '¿Qué wallet quieres usar?' },
  taken: { title: 'Se abrió antes en otro lugar', text: 'Otro dispositivo abrió este enlace antes que este. Si no fuiste tú, no confirmes nada en la otra pantalla. Pide un código nuevo en el sitio.' },
  expired: { title: 'Este enlace ha caducado', text: 'Pide un código nuevo en el sitio y escanéalo.' },
  unreached: { title: 'No se pudo conectar', text: 'Comprueba tu conexión y vuelve a intentarlo.' },
  comparing: { title: 'Compara los números', asks: (site) => `${site} quiere conectarse a tu wallet.`, number: 'Tu número', question: '¿La otra pantalla muestra el mismo número?', confirm: 'Sí, es el mismo', differ: 'No, son distintos', waiting: 'Esperando a la otra pantalla…' },
  waiting: { title: 'Confirma en la otra pantalla', text: 'Después tu wallet te preguntará qué cuenta compartir.' },
  asking: { title: 'Continúa en tu wallet', text: (site) => `Tu wallet pregunta qué cuenta compartir con ${site}.` },
  declined: { title: 'Sin conectar', differ: 'Los números son distintos: puede que otra persona haya abierto el enlace. No se compartió nada. Pide un código nuevo en el sitio.', text: 'No se compartió nada con el sitio.', unsupported: 'Tu wallet no tiene ninguna red que use el sitio.' },
  connected: { title: 'Conectado', keepOpen: 'Mantén esta página abierta mientras usas el sitio.', account: 'Cuenta', network: 'Red', wallet: 'Wallet', disconnect: 'Desconectar', disconnectFrom: (site) => `Desconectar de ${site}`, notStored: 'Este navegador no guarda nada. La conexión termina al cerrar esta página.', lost: 'Conexión perdida. Reconectando…', resumed: 'Conectado de nuevo', others: 'Otros sitios' },
  ended: { title: 'Desconectado', text: 'Para conectarte de nuevo, pide un código nuevo en el sitio.' },
  request: { kind: { message: 'Firmar un mensaje', data: 'Firmar datos', send: 'Enviar una transacción', transaction: 'Firmar una transacción', permission: 'Dar un permiso', other: 'Solicitud' }, asks: (site) => `${site} pide esto.`, give: 'Continuar en tu wallet', reject: 'Rechazar', given: 'Confirma en tu wallet', more: (count) => plural(count, { one: 'Espera 1 solicitud más', other: `Esperan ${count} solicitudes más` }), done: 'Listo. Puedes seguir en el sitio.', refused: 'Rechazado. No se firmó nada.', failed: 'Tu wallet no pudo hacerlo.', lost: 'La página se volvió a cargar mientras se preguntaba a tu wallet. Comprueba en tu wallet si se hizo.' },
  preview: { checking: 'Comprobando lo que haría…', unchecked: 'No se pudo comprobar. Puede hacer más de lo que se muestra.', fails: 'Esto fallaría.', leaves: 'Envías', arrives: 'Recibes', mayTake: 'Puede gastar', mayNoLongerTake: 'Ya no puede gastar', all: (token) => `todos los ${token}`, tokens: 'tokens del contrato', baseUnits: 'unidades base', to: 'A', amount: 'Importe', message: 'Mensaje', details: 'Detalles', deploys: 'Crea un contrato' },
}
