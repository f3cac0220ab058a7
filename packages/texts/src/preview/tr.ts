import type { WarningTexts } from './warningTexts.ts'

/** What the warnings and reasons of a preview say in Turkish. */
export const warnings: WarningTexts = {
  unknownAccount: 'bilinmeyen bir hesap',
  sentences: {
    DRAINS: 'Bundan sahip olduğunuzun neredeyse tamamı karşılıksız olarak şuraya gider: {value}.',
    HIDDEN_TRANSFER: 'Hesabınızdan isteğin söylediğinden fazlası çıkar. Gideceği yer: {value}.',
    HIDDEN_NEARLY_ALL:
      'Bundan sahip olduğunuzun neredeyse tamamı şuraya gider: {value}. Alacağınızla karşılaştırın.',
    HIDDEN_PART: 'Gönderdiğiniz şuraya gider: {value}. Aldığınızla karşılaştırın.',
    UNLIMITED_APPROVAL: '{value} bu token’dan sahip olduğunuz her şeyi istediği zaman alabilir.',
    APPROVAL_FOR_ALL: '{value} bu koleksiyondaki tüm token’ları istediği zaman alabilir.',
    SIGNED_APPROVAL:
      'Yalnızca bu imza bile {value} hesabının token almasını sağlar. Sizin bir işlem yapmanız gerekmez.',
    SPENDER_PERSON: '{value} bir kişinin hesabıdır, sözleşme değildir.',
    SPENDER_PERSON_NOT_PROGRAM: '{value} bir kişinin hesabıdır, bir programın hesabı değildir.',
    CODE_REPLACED: 'Bu sözleşmenin kodu {value} adresindeki kodla değiştirilir.',
    CONTRACT_GIVEN: 'Bu sözleşmenin yeni sahibi: {value}.',
    UNKNOWN_CODE: 'Hesabınız bilinmeyen bir kod çalıştırır. Bu kod sahip olduğunuz her şeyi alabilir.',
    IMITATION: 'Bu token bir başkasını taklit ediyor veya bir sitenin reklamını yapıyor. Değersiz olabilir.',
    REVERTS: 'Bu başarısız olur ve ücretine mal olur.',
    NOT_SIMULATED: 'Bu simüle edilemedi. Gösterilenden fazlasını yapabilir.',
    UNKNOWN_FUNCTION: 'Neyin çağrıldığı bilinmiyor.',
    UNKNOWN_PROGRAM: 'Bu, bilinmeyen bir program çalıştırıyor. Gönderildikten sonra başka bir şey yapabilir.',
    DELEGATION: '{value} sizin hesabınız adına işlem yapabilir.',
    OPERATION: 'Bu imzayla herkes bu çağrıları hesabınız adına gönderebilir.',
    DURABLE_NONCE:
      'Bu imzanın süresi dolmaz. Daha sonra herhangi bir zamanda gönderilebilir ve gösterilenden fazlasını yapabilir.',
    ORDER: 'Bu, sahip olduklarınızı satışa çıkarır. Ne alacağınızı kontrol edin.',
    OTHER_SITE: 'Bu, {value} sitesinde oturum açar; isteği yapan site bu değil.',
    OTHER_CHAIN: 'Bu başka bir ağ için; zincir kimliği {value}.',
    BLIND: 'Bunun neyi imzaladığı gösterilemez. Herhangi bir şey olabilir.',
    ACCOUNT_GIVEN: 'Hesabınızın kendisi {value} programına ait olur. Onu artık kullanamazsınız.',
    TOKEN_ACCOUNT_GIVEN: 'Token hesabınız, içindeki her şeyle birlikte şuna ait olur: {value}.',
    CLOSING_GIVEN: '{value} token hesabınızı kapatıp içindeki SOL’u alabilir.',
    AUTHORITY_LOST: 'Bu token üzerindeki bir hakkınızı kaybedersiniz.',
    STAKE_GIVEN: '{value} bu hesabınızdaki her şeyi çekebilir.',
    ACCOUNT_CLOSED: 'Token hesabınız kapatılır. İçindeki SOL şuraya gider: {value}.',
    BEHAVES_DIFFERENTLY:
      'Bu, izlendiğinde farklı davranıyor. Gönderildikten sonra gösterilenden başka bir şey yapabilir.',
    MAY_KEEP: 'Bu sözleşme bilinmiyor. En fazla şu kadarını alıkoyabilir: {value}.',
    REVERTS_UNKNOWN:
      'Bu şimdi başarısız olur. Sözleşmesi bilinmiyor ve gönderildikten sonra başka bir şey yapabilir.',
    SPENDER_PUBLIC: '{value} adresine herkes komut verebilir. İlk gelen, izin verdiğinizi alabilir.',
    UNKNOWN_STATEMENT: 'Bu imzanın neye izin verdiği anlaşılamıyor.',
    TRANSFER_ELSEWHERE: 'Bu, başka bir hizmette sahip olduğunuzu taşır. Gideceği yer: {value}.',
    OTHER_NETWORK:
      'Bu işlem bu ağ için değil veya süresi doldu. Simüle edilmediği başka bir ağda gönderilebilir.',
    NOT_GUARANTEED:
      'Bundan sahip olduğunuzun neredeyse tamamı şuraya gider: {value}. İstek, karşılığında ne alacağınızı garanti etmez.',
    TABLE_INCOMPLETE:
      'Bir tablo bu işlemin bütün hesaplarını henüz içermiyor. Gönderildikten sonra gösterilenlerden başka hesapları belirtebilir.',
    BORROWS: '{value} sizin adınıza borç alabilir. Borç sizin olur.',
    OPERATION_OF_OTHER: 'Bu imzayla herkes {value} hesabı adına çağrı gönderebilir.',
    TOO_MUCH: 'Bu, gösterilebilecek olandan fazlasını yapar.',
  },
  causes: {
    CHAIN_UNAVAILABLE: 'Ağ yanıt vermiyor',
    UNSUPPORTED: 'Ağın düğümleri bunu simüle edemiyor',
    NATIVE_LOW: 'Hesapta ağın para biriminden çok az var',
    FEE_LOW: 'Ücreti ödeyen hesapta bunun için yeterli bakiye yok',
    TOKEN_LOW: 'Hesapta bu tokenden çok az var',
    RENT_LOW: 'Bir hesapta var olması için gerekenden az bakiye kalır',
    EXPIRED: 'Bu işlemin süresi doldu',
    ALREADY_SENT: 'Bu işlem daha önce gönderildi',
    FROZEN: 'Token hesabı dondurulmuş',
    MALFORMED: 'İşlem hatalı biçimlendirilmiş',
    TOO_LARGE: 'İşlem bir blok için çok büyük',
    OTHER_NETWORK: 'İşlem bu ağ için değil veya süresi doldu',
  },
}
