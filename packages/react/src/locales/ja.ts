export { ja } from '@hawser/texts/modal/locales/ja'
