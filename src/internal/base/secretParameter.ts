/** Query parameters that hold a secret, in any case and with any separators. */
const secret =
  /^(pass(word|wd|phrase)?|pwd|secret|token|apikey|key|auth|authtoken|accesstoken|sslpassword|credentials?|sig|.*signature|.*securitytoken|xamzcredential|xgoogcredential|awsaccesskeyid|keypairid)$/

/** True for the name of a parameter that holds a secret. */
export const isSecret = (name: string): boolean => secret.test(name.toLowerCase().replaceAll(/[^a-z]/g, ""))
