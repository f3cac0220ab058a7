// Generated from packages/texts/languages by make generate. Do not edit.

import { pluralsOf } from '../../format/plurals.ts'
import type { HandoffTexts } from '../types.ts'

const plural = pluralsOf('tr')

/** The texts of the wallet page in Turkish. */
export const texts: HandoffTexts = {
  title: 'Cüzdanınızı bağlayın',
  site: 'site',
  loading: 'Yükleniyor…',
  tryAgain: 'Tekrar dene',
  finding: { title: 'Cüzdanınız aranıyor' },
  noWallet: { title: 'Burada cüzdan yok', text: 'Bu tarayıcıda cüzdan yok. Bu bağlantıyı cüzdan uygulamanızın tarayıcısında açın.', copy: 'Bağlantıyı kopyala', copied: 'Bağlantı kopyalandı', notCopied: 'Bağlantıyı buradan kopyalayın:' },
  choosing: { title: 'Hangi cüzdanı kullanmak istiyorsunuz?' },
  taken: { title: 'Önce başka yerde açıldı', text: 'Bu bağlantıyı bu cihazdan önce başka bir cihaz açtı. Bunu siz yapmadıysanız diğer ekranda hiçbir şeyi onaylamayın. Siteden yeni bir kod alın.' },
  expired: { title: 'Bu bağlantının süresi doldu', text: 'Siteden yeni bir kod alıp tarayın.' },
  unreached: { title: 'Bağlantı kurulamadı', text: 'Bağlantınızı kontrol edip tekrar deneyin.' },
  comparing: { title: 'Sayıları karşılaştırın', asks: (site) => `${site} cüzdanınıza bağlanmak istiyor.`, number: 'Sayınız', question: 'Diğer ekranda aynı sayı mı görünüyor?', confirm: 'Evet, aynı', differ: 'Hayır, farklı', waiting: 'Diğer ekran bekleniyor…' },
  waiting: { title: 'Diğer ekranda onaylayın', text: 'Ardından cüzdanınız hangi hesabı paylaşacağınızı sorar.' },
  asking: { title: 'Cüzdanınızda devam edin', text: (site) => `Cüzdanınız ${site} ile hangi hesabı paylaşacağınızı soruyor.` },
  declined: { title: 'Bağlı değil', differ: 'Sayılar farklı: bağlantıyı başka biri açmış olabilir. Hiçbir şey paylaşılmadı. Siteden yeni bir kod alın.', text: 'Siteyle hiçbir şey paylaşılmadı.', unsupported: 'Cüzdanınızda sitenin kullandığı bir ağ yok.' },
  connected: { title: 'Bağlandı', keepOpen: 'Siteyi kullanırken bu sayfayı açık tutun.', account: 'Hesap', network: 'Ağ', wallet: 'Cüzdan', disconnect: 'Bağlantıyı kes', disconnectFrom: (site) => `${site} bağlantısını kes`, notStored: 'Bu tarayıcı hiçbir şey saklamıyor. Bu sayfa kapatılınca bağlantı sona erer.', lost: 'Bağlantı koptu. Yeniden bağlanılıyor…', resumed: 'Yeniden bağlandı', others: 'Diğer siteler' },
  ended: { title: 'Bağlantı kesildi', text: 'Yeniden bağlanmak için siteden yeni bir kod alın.' },
  request: { kind: { message: 'Mesaj imzala', data: 'Veri imzala', send: 'İşlem gönder', transaction: 'İşlem imzala', permission: 'İzin ver', other: 'İstek' }, asks: (site) => `Bunu ${site} istiyor.`, give: 'Cüzdanınızda devam edin', reject: 'Reddet', given: 'Cüzdanınızda onaylayın', more: (count) => plural(count, { one: '1 istek daha bekliyor', other: `${count} istek daha bekliyor` }), done: 'Tamam. Sitede devam edebilirsiniz.', refused: 'Reddedildi. Hiçbir şey imzalanmadı.', failed: 'Cüzdanınız bunu yapamadı.', lost: 'Cüzdanınıza sorulurken sayfa yeniden yüklendi. Yapılıp yapılmadığına cüzdanınızdan bakın.' },
  preview: { checking: 'Bunun ne yapacağı kontrol ediliyor…', unchecked: 'Bu denetlenemedi. Gösterilenden fazlasını yapabilir.', fails: 'Bu başarısız olur.', leaves: 'Gönderdiğiniz', arrives: 'Aldığınız', mayTake: 'Harcayabilir', mayNoLongerTake: 'Artık harcayamaz', all: (token) => `tüm ${token}`, tokens: 'token’lar', baseUnits: 'temel birim', to: 'Alıcı', amount: 'Tutar', message: 'Mesaj', details: 'Ayrıntılar', deploys: 'Sözleşme oluşturur' },
}
