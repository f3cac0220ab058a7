export { ja } from '@hawser/texts/locales/ja'
