// Secrets in every form in which a node's logs and user data hold them. None is real: each is put together at run time of
// parts and of letters that a fixed sequence gives, so that this file holds nothing that looks like one.

export interface Planted {
  readonly name: string;
  /** One line, or several for what spans lines. */
  readonly text: string;
  /** What must be gone of it: every one of these. */
  readonly secrets: readonly string[];
  /** It is known as a secret only where nothing else stands in the line. */
  readonly isAlone?: boolean;
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';
const BASE64 = `${UPPER}${LOWER}${DIGITS}+/`;
const URL64 = `${UPPER}${LOWER}${DIGITS}-_`;

/** Always the same letters for the same seed. */
export function letters(length: number, alphabet: string, seed: number): string {
  let state = seed * 2_654_435_761 + 12_345;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return alphabet[(state >>> 16) % alphabet.length]!;
  }).join('');
}

function joined(...parts: readonly string[]): string {
  return parts.join('');
}

const keyId = `${joined('AK', 'IA')}${letters(16, UPPER + DIGITS, 1)}`;
const temporaryId = `${joined('AS', 'IA')}${letters(16, UPPER + DIGITS, 2)}`;
const secretKey = letters(40, BASE64, 3).replace(/^\W/, 'w');
const sessionToken = `${joined('IQoJb3Jp', 'Z2luX2Vj')}${letters(300, BASE64, 4)}==`;
const imdsToken = `${joined('AQ', 'AEA')}${letters(50, URL64, 5)}==`;
const eksToken = `${joined('k8s', '-aws-v1.')}${letters(400, URL64, 6)}`;
const jwt = `${joined('ey', 'J')}${letters(60, URL64, 7)}.eyJ${letters(200, URL64, 8)}.${letters(86, URL64, 9)}`;
const ecrPassword = `${joined('ey', 'J')}wYXlsb2Fk${letters(500, BASE64, 10)}`;
const bootstrapToken = `${letters(5, LOWER, 11)}7.${letters(15, LOWER + DIGITS, 12)}3`;
const pemBody = Array.from({ length: 6 }, (_, at) => letters(64, BASE64, 20 + at));
const dashes = '-'.repeat(5);
const privateKey = `${dashes}BEGIN RSA ${joined('PRIVATE', ' KEY')}${dashes}`;
const certificate = `LS0tLS1CRUdJTi${letters(400, BASE64, 30)}`;
const hash = `$6$${letters(12, BASE64, 31)}$${letters(86, BASE64, 32)}`;
const password = `Hunter${letters(6, LOWER + DIGITS, 33)}9`;
const word = `correct${letters(8, LOWER, 34)}`;
const hexToken = `a1${letters(30, '0123456789abcdef', 35)}`;
const codeHost = `${joined('gh', 'p_')}${letters(36, UPPER + LOWER + DIGITS, 36)}`;

function one(name: string, text: string, ...secrets: readonly string[]): Planted {
  return { name, text, secrets };
}

export const CORPUS: readonly Planted[] = [
  // AWS
  one('access key id', `using ${keyId}.`, keyId),
  one('temporary access key id', `AccessKeyId:${temporaryId} Expiration`, temporaryId),
  one('secret key in a credentials file', `aws_secret_access_key = ${secretKey}`, secretKey),
  one('secret key set by the CLI', `aws configure set aws_secret_access_key ${secretKey}`, secretKey),
  one('secret key in the environment', `export AWS_SECRET_ACCESS_KEY='${secretKey}'`, secretKey),
  one('secret key beside its id', `${keyId},${secretKey}`, keyId, secretKey),
  one('secret key without a name', `got "${secretKey}" from the profile`, secretKey),
  one(
    'credentials of the metadata service',
    `{ "Code" : "Success", "AccessKeyId" : "${temporaryId}", "SecretAccessKey" : "${secretKey}", "Token" : "${sessionToken}" }`,
    temporaryId,
    secretKey,
    sessionToken.slice(20),
  ),
  one(
    'credentials as Go prints them',
    `{AccessKeyID:${temporaryId} SecretAccessKey:${secretKey} SessionToken:${sessionToken} Source:EC2}`,
    temporaryId,
    secretKey,
    sessionToken.slice(20),
  ),
  one('session token in the environment', `AWS_SESSION_TOKEN=${sessionToken}`, sessionToken.slice(20)),
  one('session token without a name', `refreshed ${sessionToken.slice(0, 60)}`, sessionToken.slice(12, 60)),
  one(
    'presigned URL',
    `https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${temporaryId}%2F20250501%2Fus-west-2&X-Amz-Security-Token=${encodeURIComponent(sessionToken)}&X-Amz-Signature=${hexToken}${hexToken}&x=1`,
    temporaryId,
    encodeURIComponent(sessionToken).slice(20),
    hexToken,
  ),
  one(
    'presigned URL in JSON of Go',
    `{"url":"https://b/k?X-Amz-Credential=${temporaryId}\\u0026X-Amz-Signature=${hexToken}\\u0026x=1"}`,
    temporaryId,
    hexToken,
  ),
  one(
    'presigned URL of version 2',
    `https://b.s3.amazonaws.com/k?AWSAccessKeyId=${keyId}&Signature=${encodeURIComponent(secretKey.slice(0, 28))}%3D&Expires=1`,
    keyId,
    encodeURIComponent(secretKey.slice(0, 28)),
  ),
  one(
    'signed request',
    `Authorization: AWS4-HMAC-SHA256 Credential=${keyId}/20250501/eu-west-1/eks/aws4_request, SignedHeaders=host, Signature=${hexToken}`,
    keyId,
    hexToken,
  ),
  one(
    'token of the metadata service',
    `curl -H "X-aws-ec2-metadata-token: ${imdsToken}" http://169.254.169.254/`,
    imdsToken,
  ),
  one('token of the metadata service without a name', `+ TOKEN is ${imdsToken}`, imdsToken),
  // EKS and Kubernetes
  one('EKS token', `{"kind":"ExecCredential","status":{"token":"${eksToken}"}}`, eksToken.slice(20)),
  one('bootstrap token', `kubeadm join 10.0.0.1:6443 --token ${bootstrapToken}`, bootstrapToken),
  one('bootstrap token alone', `token id ${bootstrapToken} is expired`, bootstrapToken),
  one('halves of a bootstrap token', `token-secret: ${bootstrapToken.slice(7)}`, bootstrapToken.slice(7)),
  one('service account token', `token=${jwt}`, jwt.slice(10)),
  one('service account token alone', `invalid bearer ${jwt}`, jwt.slice(10)),
  one('token that is cut', `got ${jwt.slice(0, 50)}`, jwt.slice(10, 50)),
  one(
    'cluster CA as an argument',
    `/etc/eks/bootstrap.sh c --b64-cluster-ca ${certificate} --apiserver-endpoint https://x`,
    certificate.slice(20),
  ),
  one('cluster CA in the NodeConfig', `certificateAuthority: ${certificate}`, certificate.slice(20)),
  one(
    'cluster CA in escaped JSON',
    `{\\"certificateAuthority\\":\\"${certificate.slice(0, 50)}\\"}`,
    certificate.slice(14, 50),
  ),
  one('client key of a kubeconfig', `    client-key-data: ${certificate}`, certificate.slice(20)),
  // Headers
  one('bearer header', `Authorization: Bearer ${letters(12, URL64, 40)}`, letters(12, URL64, 40)),
  one('basic header in JSON', `"Authorization":["Basic ${letters(24, BASE64, 41)}=="]`, letters(24, BASE64, 41)),
  one('proxy header', `Proxy-Authorization: Basic ${letters(16, BASE64, 42)}`, letters(16, BASE64, 42)),
  one('header with a bare token', `-H "Authorization: ${hexToken}"`, hexToken),
  one(
    'header of a vault',
    `X-Vault-Token: ${joined('hv', 's.')}${letters(24, UPPER + LOWER + DIGITS, 43)}`,
    letters(24, UPPER + LOWER + DIGITS, 43),
  ),
  one('cookie', `Set-Cookie: session=${hexToken}; Path=/`, hexToken),
  // Registries
  one(
    'ECR password',
    `docker login --username AWS --password ${ecrPassword} 602401143452.dkr.ecr.us-west-2.amazonaws.com`,
    ecrPassword.slice(20),
  ),
  one(
    'ECR password by short options',
    `docker login -u AWS -p ${ecrPassword.slice(0, 40)} https://x`,
    ecrPassword.slice(12, 40),
  ),
  one('ECR password for ctr', `ctr -n k8s.io image pull --user AWS:${ecrPassword} x`, ecrPassword.slice(20)),
  one('ECR password for crictl', `crictl pull --creds "AWS:${ecrPassword.slice(0, 60)}" x`, ecrPassword.slice(12, 60)),
  one('ECR password alone', ecrPassword, ecrPassword.slice(20)),
  one('ECR password piped', `echo ${password} | docker login --username AWS --password-stdin x`, password),
  one('ECR password from a here string', `docker login -u AWS --password-stdin x <<< "${password}"`, password),
  one('docker config', `{"auths":{"x":{"auth":"${letters(20, BASE64, 44)}=="}}}`, letters(20, BASE64, 44)),
  one('containerd config', `  password = "${word}"`, word),
  // Keys and certificates
  one('private key', [privateKey, ...pemBody, privateKey.replace('BEGIN', 'END')].join('\n'), ...pemBody),
  one('private key in one line', [privateKey, ...pemBody, privateKey.replace('BEGIN', 'END')].join('\\n'), ...pemBody),
  one('private key that is cut', `${privateKey}\n${pemBody[0]}`, pemBody[0]!),
  one('line of a private key', pemBody[1]!, pemBody[1]!),
  one('long base64', `data: ${letters(120, BASE64, 45)}`, letters(120, BASE64, 45)),
  // User data
  one('password in a shell variable', `export DB_PASSWORD="${word} two"`, word),
  one('password with an escaped quote', `PASSWORD="a\\"${word}"`, word),
  one('password in a trace of the shell', `+ MYSQL_PWD=${word}`, word),
  one('password before a command', `PGPASSWORD='${password}' psql -h db`, password),
  one('password as an option', `./setup --admin-password ${password} --yes`, password),
  one('password as an option with =', `--db-pass=${word}`, word),
  one('password for curl', `curl -u admin:${password} https://x`, password),
  one('password list', `echo "root:${password}" | sudo chpasswd`, password),
  one('password on standard input', `echo '${password}' | passwd --stdin admin`, password),
  one('password to join a domain', `echo ${password} | realm join -U admin corp`, password),
  one('password for mysql', `mysql -h db -u root -p${password} app`, password),
  one('password for sshpass', `sshpass -p '${password}' ssh x`, password),
  one('password for openssl', `openssl rsa -passin pass:${password} -in k`, password),
  one('password hash', `usermod --password '${hash}' admin`, hash.slice(4)),
  one('password hash alone', `admin:${hash}:19000:0`, hash.slice(4)),
  { ...one('password in YAML', `    password: ${word}`, word), isAlone: true },
  one('password in JSON', `{"user":"a","password":"${word}"}`, word),
  one('password in JSON in JSON', `{\\"password\\":\\"${word}\\"}`, word),
  one('password in a map of Go', `map[password:${password} user:a]`, password),
  one('password with an arrow', `'password' => '${word}'`, word),
  one('password in XML', `<adminPassword>${word}</adminPassword>`, word),
  one('password in a query', `https://x/join?user=a&password=${word}&b=1`, word),
  one('token in a query', `https://x/join?token=${hexToken}&b=1`, hexToken),
  one('environment of a pod', `"env":[{"name":"DB_PASSWORD","value":"${word}"}]`, word),
  one('environment of a pod as Go prints it', `EnvVar{Name:API_TOKEN,Value:${hexToken},ValueFrom:nil}`, hexToken),
  one('secret of Secrets Manager', `{"Name": "db", "SecretString": "${word} x"}`, word),
  one('parameter of the Parameter Store', `"Type": "SecureString", "Value": "${word} x"`, word),
  one('API key', `DD_API_KEY=${hexToken}`, hexToken),
  one('API key as an option', `--license-key ${hexToken}`, hexToken),
  one(
    'secret in JSON',
    `{"client_secret": "${letters(12, UPPER + LOWER, 46)}7"}`,
    `${letters(12, UPPER + LOWER, 46)}7`,
  ),
  one('token of a code host', `git clone https://${codeHost}@github.com/x`, codeHost),
  one('token of a code host as user', `https://oauth2:${codeHost}@gitlab.com/x`, codeHost),
  one(
    'token of a package registry',
    `//packages.example.com/:_authToken=${joined('np', 'm_')}${letters(36, UPPER + LOWER + DIGITS, 47)}`,
    letters(36, UPPER + LOWER + DIGITS, 47),
  ),
  one(
    'webhook',
    `curl https://hooks.slack.com/services/T0${letters(8, UPPER, 48)}/B0${letters(8, UPPER, 49)}/${letters(24, UPPER + LOWER, 50)}`,
    letters(24, UPPER + LOWER, 50),
  ),
  // URLs and proxies
  one('URL with a password', `http://user:${password}@example.com/`, password),
  one('URL with an odd password', `http://user:p@${password}@example.com/`, password),
  one('URL with a slash in the password', `postgres://user:a/${password}@db:5432/app`, password),
  one('URL with a password alone', `redis://:${password}@cache:6379`, password),
  one('proxy', `HTTPS_PROXY=http://bob:${password}@10.0.0.1:3128/`, password),
  one('proxy without a scheme', `https_proxy=bob:${password}@10.0.0.1:3128`, password),
  one('proxy in YAML', `httpsProxy: "bob:${password}@10.0.0.1:3128"`, password),
  one(
    'proxy of a unit',
    `Environment="HTTP_PROXY=http://bob:${encodeURIComponent(`${password}#!`)}@proxy:80" "NO_PROXY=x"`,
    password,
  ),
  one('proxy of apt', `Acquire::http::Proxy "http://bob:${password}@proxy:80";`, password),
  one('user of a proxy', `curl --proxy-user bob:${password} https://x`, password),
];

/** So much of a secret in a row is a leak. */
const PIECE_CHARS = 8;

/** Pieces of the secrets that still stand in the text. */
export function leaksOf(text: string, secrets: readonly string[]): string[] {
  return secrets.flatMap((secret) => {
    const length = Math.min(PIECE_CHARS, secret.length);
    const pieces = Array.from({ length: secret.length - length + 1 }, (_, at) => secret.slice(at, at + length));
    return pieces.find((piece) => text.includes(piece)) ?? [];
  });
}
