# Every call goes through `ask` (AWS CLI) or stands in `aws_auth` (kubectl); a test holds that all of them only describe, get or list.
set -u
# No word below is a pattern of file names.
set -f
LC_ALL=C
AWS_PAGER=''
export LC_ALL AWS_PAGER
bads=0
unsures=0
named=''

title() { printf '\n%s\n  good: %s\n' "$1" "$2"; }
ok() { printf '  ok: %s\n' "$1"; }
bad() {
  printf '  BAD: %s\n' "$1"
  bads=$((bads + 1))
  named="$named
  $1"
}
unsure() {
  printf '  not sure: %s\n' "$1"
  unsures=$((unsures + 1))
}

# Asks AWS; `answer` is the text, empty for none. Fails, and says so, where there is no answer.
ask() {
  failure=''
  if answer=$(aws ${region:+--region "$region"} --output text "$@" 2>/dev/null); then
    if [ "$answer" = None ]; then answer=''; fi
    return 0
  fi
  answer=''
  failure=$(aws ${region:+--region "$region"} --output text "$@" 2>&1 >/dev/null | tr '\n\t' '  ' | cut -c 1-300)
  unsure "no answer to aws $1 $2: $failure"
  return 1
}

known() { if [ "$1" != None ]; then printf '%s' "$1"; fi; }
joined() { printf '%s' "$1" | tr -s '[:space:]' '[ *]'; }
lines() { printf '%s\n' "$1" | tr -s '[:blank:]' '[\n*]'; }
has_line() { lines "$1" | grep -F -x -q -- "$2"; }

# Security-group rules in `answer` for TCP 443: "all", "yes" (from this address or group), "lists", "some" (only others), "none".
admitted() {
  printf '%s\n' "$answer" | awk -F '\t' -v egress="$1" -v address="$2" -v groups=" $3 " '
    function number(text, part) { split(text, part, "."); return ((part[1] * 256 + part[2]) * 256 + part[3]) * 256 + part[4] }
    function holds(block, part, size) {
      if (address == "" || block !~ /^[0-9.]+\/[0-9]+$/) return 0
      split(block, part, "/"); size = 2 ^ (32 - part[2])
      return int(number(address) / size) == int(number(part[1]) / size)
    }
    $1 != egress || ($2 != "-1" && !($2 == "tcp" && $3 + 0 <= 443 && $4 + 0 >= 443)) { next }
    $5 == "0.0.0.0/0" { all = 1 }
    holds($5) || ($6 != "None" && index(groups, " " $6 " ")) { yes = 1 }
    $7 != "None" { lists = 1 }
    { some = 1 }
    END { print all ? "all" : yes ? "yes" : lists ? "lists" : some ? "some" : "none" }'
}
ask_rules() {
  ask ec2 describe-security-group-rules --filters "Name=group-id,Values=$1" \
    --query 'SecurityGroupRules[].[IsEgress, IpProtocol, FromPort, ToPort, CidrIpv4, ReferencedGroupInfo.GroupId, PrefixListId]'
}
with_commas() { printf '%s' "$1" | tr -s '[:blank:]' '[,*]'; }

# Is 443 open from the node to what these groups guard?
admits_node() {
  ask_rules "$(with_commas "$1")" || return
  case $(admitted False "$address" "$groups") in
    all | yes) ok "$2 admits 443 from this node" ;;
    lists) unsure "$2 admits 443 from prefix lists; is this node in one of them? ($1)" ;;
    *) bad "$2 admits no 443 from this node ($1)" ;;
  esac
}

# Which entry of the network ACL decides for all addresses: allow or deny, or "part" where entries for some addresses come first.
decided() {
  printf '%s\n' "$answer" | sort -n | awk -F '\t' -v egress="$1" -v from="$2" -v to="$3" '
    done || $2 != egress || ($3 != "-1" && $3 != "6") || $5 == "None" { next }
    { low = $6 == "None" || $3 == "-1" ? 0 : $6 + 0; high = $7 == "None" || $3 == "-1" ? 65535 : $7 + 0 }
    low > to || high < from { next }
    $5 == "0.0.0.0/0" && low <= from && high >= to { done = 1; print part[$4 == "allow" ? "deny" : "allow"] ? "part" : $4; next }
    { part[$4] = 1 }
    END { if (!done) print part["allow"] ? "part" : "deny" }'
}

# ---------------------------------------------------------------- who asks, and for what

if [ -z "$instance" ] && [ $# -gt 0 ]; then
  case $1 in
    i-*[!0-9a-f]* | i-) echo "$1 is no instance id" >&2 && exit 2 ;;
    i-*) instance=$1 ;;
    *) echo "$1 is no instance id" >&2 && exit 2 ;;
  esac
fi
if [ -z "$instance$subnet" ]; then
  echo "It is not known which instance this is about: give its id, such as sh $0 i-0123456789abcdef0" >&2
  exit 2
fi

if ! command -v aws >/dev/null; then
  echo 'The AWS CLI is not installed here.' >&2
  exit 2
fi

title 'Credentials' "they belong to the account of the node${account:+, $account}"
if ask sts get-caller-identity --query Account; then
  if [ -n "$account" ] && [ "$answer" != "$account" ]; then
    bad "these credentials are for account $answer: nothing below is about the node"
  else
    ok "account $answer"
  fi
else
  echo 'Nothing was looked at: AWS takes no credentials of this shell.' >&2
  exit 2
fi

title "Instance ${instance:-(id not known)}" 'it runs and has an instance profile'
address=''
public=''
profile=''
seen=''
if [ -n "$instance" ] && ask ec2 describe-instances --instance-ids "$instance" --query \
  'Reservations[0].Instances[0].[State.Name, VpcId, SubnetId, PrivateIpAddress, PublicIpAddress, IamInstanceProfile.Arn]' && [ -n "$answer" ]; then
  read -r state its_vpc its_subnet its_address its_public its_profile <<EOF
$answer
EOF
  address=$(known "$its_address")
  public=$(known "$its_public")
  profile=$(known "$its_profile")
  vpc=${vpc:-$(known "$its_vpc")}
  subnet=${subnet:-$(known "$its_subnet")}
  case $state in
    running | pending) seen=yes && ok "it is $state" ;;
    *) unsure "it is $state; what follows is about its subnet, groups and role" ;;
  esac
  if [ -n "$seen" ]; then
    if [ -n "$profile" ]; then ok "its instance profile is ${profile##*/}"; else bad "instance $instance has no instance profile, so the node has no role"; fi
  fi
  if [ -z "$groups" ] && ask ec2 describe-instances --instance-ids "$instance" --query 'Reservations[0].Instances[0].SecurityGroups[].GroupId'; then
    groups=$(joined "$answer")
  fi
  if [ -z "$cluster" ] && ask ec2 describe-instances --instance-ids "$instance" --query "Reservations[0].Instances[0].Tags[?starts_with(Key, 'kubernetes.io/cluster/')].Key | [0]"; then
    cluster=${answer#kubernetes.io/cluster/}
  fi
fi

# ---------------------------------------------------------------- the cluster

title "Cluster ${cluster:-(name not known)}" 'it is ACTIVE, and its endpoint is the one that the node asks'
url=''
their_vpc=''
their_groups=''
is_private=''
is_public=''
mode=''
if [ -z "$cluster" ]; then
  unsure 'neither the verdict nor the tags of the instance name it'
elif ask eks describe-cluster --name "$cluster" --query \
  'cluster.[status, endpoint, resourcesVpcConfig.vpcId, resourcesVpcConfig.endpointPrivateAccess, resourcesVpcConfig.endpointPublicAccess, accessConfig.authenticationMode]'; then
  read -r status url their_vpc is_private is_public mode <<EOF
$answer
EOF
  mode=$(known "$mode")
  if [ "$status" = ACTIVE ]; then ok 'it is ACTIVE'; else bad "cluster $cluster is $status"; fi
  if [ -n "$endpoint" ]; then
    if [ "$(printf '%s' "$url" | tr '[:upper:]' '[:lower:]')" = "https://$(printf '%s' "$endpoint" | tr '[:upper:]' '[:lower:]')" ]; then ok 'the node asks its endpoint'; else bad "the node asks $endpoint, but the endpoint of $cluster is ${url#https://}"; fi
  fi
  if [ -n "$vpc" ] && [ "$their_vpc" != "$vpc" ]; then
    if [ "$is_public" = True ]; then unsure "it is in another VPC, $their_vpc"; else bad "cluster $cluster has a private endpoint only, in $their_vpc, and the node is in $vpc"; fi
  fi
  if ask eks describe-cluster --name "$cluster" --query 'cluster.resourcesVpcConfig.[clusterSecurityGroupId, securityGroupIds][]'; then
    their_groups=$(joined "$(lines "$answer" | grep '^sg-')")
  fi
else
  case $failure in *ResourceNotFound*) bad "there is no cluster $cluster in this account and region" ;; esac
fi

# ---------------------------------------------------------------- the way out

table=''
out=''
exit_address=''
endpoints=''
if [ -z "$subnet" ]; then
  title 'Network' 'the subnet of the node is known'
  unsure 'neither the verdict nor the instance tells it, so that nothing of the network was looked at'
else
  title "Subnet $subnet" 'it has free addresses, and its VPC resolves names'
  if ask ec2 describe-subnets --subnet-ids "$subnet" --query 'Subnets[0].[VpcId, CidrBlock, AvailableIpAddressCount]' && [ -n "$answer" ]; then
    read -r its_vpc block free <<EOF
$answer
EOF
    vpc=${vpc:-$its_vpc}
    # A node that is gone had some address of its subnet.
    address=${address:-${block%/*}}
    if [ "$free" -gt 0 ]; then ok "$free addresses are free"; else bad "subnet $subnet has no free address"; fi
  fi
  for attribute in enableDnsSupport enableDnsHostnames; do
    if ask ec2 describe-vpc-attribute --vpc-id "$vpc" --attribute "$attribute" --query '[EnableDnsSupport.Value, EnableDnsHostnames.Value]'; then
      case $answer in
        *True*) ok "$attribute is on" ;;
        *False*) bad "$attribute is off in $vpc: private endpoints cannot be found by name" ;;
      esac
    fi
  done
  if ask ec2 describe-vpc-endpoints --filters "Name=vpc-id,Values=$vpc" --query 'VpcEndpoints[].[ServiceName, VpcEndpointId, VpcEndpointType, State, PrivateDnsEnabled]'; then
    endpoints=$answer
  fi

  title "Routes of $subnet" '0.0.0.0/0 leads to a NAT gateway, a transit gateway, or (with a public address) an internet gateway; or there is an endpoint for each service below'
  if ask ec2 describe-route-tables --filters "Name=association.subnet-id,Values=$subnet" --query 'RouteTables[0].RouteTableId'; then
    table=$answer
    if [ -z "$table" ] && ask ec2 describe-route-tables --filters "Name=vpc-id,Values=$vpc" 'Name=association.main,Values=true' --query 'RouteTables[0].RouteTableId'; then
      table=$answer
    fi
  fi
  if [ -n "$table" ] && ask ec2 describe-route-tables --route-table-ids "$table" --query \
    "RouteTables[0].Routes[?DestinationCidrBlock=='0.0.0.0/0'].[State, NatGatewayId, GatewayId, TransitGatewayId, NetworkInterfaceId, VpcPeeringConnectionId]"; then
    target=$(lines "$answer" | sed 1d | grep -v -x None | head -n 1)
    case $answer:$target in
      :*)
        case $endpoints in
          *.ecr.* | *.ec2* | *.sts*) ok "$table has no default route; the endpoints have to do" ;;
          *) bad "no route out: $table of subnet $subnet has no route for 0.0.0.0/0, and $vpc has no endpoints" ;;
        esac
        ;;
      blackhole*) bad "no route out: 0.0.0.0/0 of $table leads to ${target:-what is gone}, which is a black hole" ;;
      *:igw-*)
        if [ -n "$seen" ] && [ -z "$public" ]; then bad "no route out: 0.0.0.0/0 of $table leads to the internet gateway $target, but $instance has no public address"; else out=$target && exit_address=$public && ok "0.0.0.0/0 leads to $target"; fi
        ;;
      *:nat-*)
        out=$target
        if ask ec2 describe-nat-gateways --nat-gateway-ids "$target" --query 'NatGateways[0].[State, NatGatewayAddresses[0].PublicIp]'; then
          read -r state exit_address <<EOF
$answer
EOF
          exit_address=$(known "${exit_address:-None}")
          if [ "$state" = available ]; then ok "0.0.0.0/0 leads to $target, which is available"; else out='' && bad "no route out: the NAT gateway $target is $state"; fi
        fi
        ;;
      *) out=$target && ok "0.0.0.0/0 leads to $target, which has to lead on" ;;
    esac
  fi

  title 'Endpoints' 'each is available, admits 443 from the node and has private DNS; without a route out there is one for each service'
  for service in ec2 ecr.api ecr.dkr sts s3; do
    row=$(printf '%s\n' "$endpoints" | awk -F '\t' -v suffix=".$service" 'substr($1, length($1) - length(suffix) + 1) == suffix' | sort -t "$(printf '\t')" -k 3 | head -n 1)
    if [ -z "$row" ]; then
      if [ -n "$out" ]; then ok "$service: none, it is reached by $out"
      elif [ -n "$endpoints" ]; then bad "no endpoint for $service in $vpc, and no route out"
      else unsure "$service: none, see the routes"; fi
      continue
    fi
    read -r _ id type state private <<EOF
$row
EOF
    if [ "$state" != available ]; then
      bad "the endpoint $id for $service is $state"
    elif [ "$type" = Gateway ]; then
      if ask ec2 describe-vpc-endpoints --vpc-endpoint-ids "$id" --query 'VpcEndpoints[0].RouteTableIds'; then
        if has_line "$answer" "$table"; then ok "$service: $id is in $table"
        elif [ -n "$out" ]; then ok "$service: $id is not in $table, it is reached by $out"
        else bad "the endpoint $id for $service is not in $table of the node's subnet"; fi
      fi
    elif [ "$private" != True ]; then
      if [ -n "$out" ]; then ok "$service: $id has no private DNS, it is reached by $out"; else bad "the endpoint $id for $service has no private DNS, so that the node does not find it"; fi
    elif ask ec2 describe-vpc-endpoints --vpc-endpoint-ids "$id" --query 'VpcEndpoints[0].Groups[].GroupId' && [ -n "$answer" ]; then
      admits_node "$answer" "the security group of endpoint $id for $service"
    fi
  done

  title "Network ACL of $subnet" 'it lets TCP 443 out to all, and the answers (TCP 32768 to 60999) in from all'
  if ask ec2 describe-network-acls --filters "Name=association.subnet-id,Values=$subnet" --query \
    'NetworkAcls[0].Entries[].[RuleNumber, Egress, Protocol, RuleAction, CidrBlock, PortRange.From, PortRange.To]' && [ -n "$answer" ]; then
    case $(decided True 443 443) in
      allow) ok '443 goes out' ;;
      deny) bad "the network ACL of $subnet lets no 443 out" ;;
      *) unsure 'it lets 443 out to some addresses only' ;;
    esac
    case $(decided False 32768 60999) in
      allow) ok 'the answers come in' ;;
      deny) bad "the network ACL of $subnet lets no answers in (TCP 32768 to 60999)" ;;
      *) unsure 'it lets answers in from some addresses or ports only' ;;
    esac
  fi

  title "Security groups ${groups:-(not known)}" '443 may go out to all, and the control plane admits 443 from the node'
  if [ -n "$groups" ] && ask_rules "$(with_commas "$groups")"; then
    case $(admitted True '' '') in
      all) ok '443 goes out to all' ;;
      none) bad "the security groups of the node let no 443 out ($groups)" ;;
      *) unsure '443 goes out to some addresses only; the cluster and every endpoint must be among them' ;;
    esac
  fi
  if [ "$is_private" = True ] && [ "$their_vpc" = "$vpc" ] && [ -n "$their_groups" ]; then
    admits_node "$their_groups" 'the control plane'
  elif [ "$is_private" = False ] && [ -n "$exit_address" ] && ask eks describe-cluster --name "$cluster" --query 'cluster.resourcesVpcConfig.publicAccessCidrs'; then
    answer=$(lines "$answer" | awk -v OFS='\t' '{ print "False", "-1", "None", "None", $1, "None", "None" }')
    case $(admitted False "$exit_address" '') in
      all | yes) ok "the public endpoint admits $exit_address" ;;
      *) bad "the public endpoint of $cluster does not admit $exit_address, by which the node goes out" ;;
    esac
  fi
fi

# ---------------------------------------------------------------- the role

if [ -z "$role" ] && [ -n "$profile" ] && ask iam get-instance-profile --instance-profile-name "${profile##*/}" --query 'InstanceProfile.Roles[0].RoleName'; then
  role=$answer
  if [ -z "$role" ]; then bad "the instance profile ${profile##*/} holds no role"; fi
fi
role_arn=''
allowed=''
denied=''
# Actions of the statements with this effect; a lone statement or action need not be a list.
actions() { printf "[%s.Statement][] | [?Effect=='%s'].Action | []" "$1" "$2"; }
has_action() {
  for pattern in $1; do
    # shellcheck disable=SC2254 # the asterisks of an action mean what they mean here
    case $2 in $pattern) return 0 ;; esac
  done
  return 1
}
needs() {
  missing=''
  for action in $2; do
    if ! has_action "$allowed" "$action"; then missing="$missing $action"; fi
    if has_action "$denied" "$action"; then unsure "a statement denies $action, perhaps not for everything"; fi
  done
  if [ -z "$missing" ]; then ok "$1"; else "$3" "role $role lacks$missing ($1)"; fi
}
title "Role ${role:-(not known)}" 'EC2 may assume it, and its policies allow what a node asks for (conditions, resources and policies of the organization are not judged)'
if [ -n "$role" ] && ask iam get-role --role-name "$role" --query 'Role.[Arn, PermissionsBoundary.PermissionsBoundaryArn]'; then
  read -r role_arn boundary <<EOF
$answer
EOF
  boundary=$(known "$boundary")
  if [ -n "$boundary" ]; then unsure "its permissions boundary $boundary may take away what its policies allow"; fi
  if ask iam get-role --role-name "$role" --query 'Role.AssumeRolePolicyDocument.Statement'; then
    case $answer in
      *ec2.amazonaws.com*) ok 'EC2 may assume it' ;;
      *) bad "the trust policy of role $role does not name ec2.amazonaws.com" ;;
    esac
  fi
  complete=yes
  ask iam list-attached-role-policies --role-name "$role" --query 'AttachedPolicies[].PolicyArn' || complete=''
  for policy in $answer; do
    ask iam get-policy --policy-arn "$policy" --query Policy.DefaultVersionId || { complete='' && continue; }
    version=$answer
    ask iam get-policy-version --policy-arn "$policy" --version-id "$version" --query "$(actions PolicyVersion.Document Allow)" || complete=''
    allowed="$allowed $answer"
    ask iam get-policy-version --policy-arn "$policy" --version-id "$version" --query "$(actions PolicyVersion.Document Deny)" && denied="$denied $answer"
  done
  ask iam list-role-policies --role-name "$role" --query 'PolicyNames' || complete=''
  for policy in $answer; do
    ask iam get-role-policy --role-name "$role" --policy-name "$policy" --query "$(actions PolicyDocument Allow)" || complete=''
    allowed="$allowed $answer"
    ask iam get-role-policy --role-name "$role" --policy-name "$policy" --query "$(actions PolicyDocument Deny)" && denied="$denied $answer"
  done
  allowed=$(printf '%s' "$allowed" | tr '[:upper:]\t\n' '[:lower:]  ')
  denied=$(printf '%s' "$denied" | tr '[:upper:]\t\n' '[:lower:]  ')
  lacks=bad
  if [ -z "$complete" ]; then lacks=unsure; fi
  needs 'to know itself' 'ec2:describeinstances' "$lacks"
  needs 'to pull images from ECR' 'ecr:getauthorizationtoken ecr:batchgetimage ecr:getdownloadurlforlayer' "$lacks"
  needs 'to find its cluster, where user data does not say it all' 'eks:describecluster' unsure
  needs 'for the network plugin, unless aws-node has a role of its own' 'ec2:createnetworkinterface ec2:attachnetworkinterface ec2:assignprivateipaddresses ec2:describenetworkinterfaces' unsure
elif [ -z "$role" ]; then
  unsure 'neither the verdict nor the instance tells it'
fi

# ---------------------------------------------------------------- who may join

# The roles of aws-auth, one a line. The answer counts only from the endpoint that AWS names for this cluster.
aws_auth() {
  kubectl --server "$url" --request-timeout 15s --namespace kube-system get configmap aws-auth --output 'jsonpath={.data.mapRoles}' 2>/dev/null |
    sed -n "s/^[ -]*rolearn: *[\"']\{0,1\}\([^\"' ]*\).*/\1/p"
}
title "Access of ${role:-the role} to ${cluster:-the cluster}" 'an access entry of type EC2_LINUX (or EC2_WINDOWS, EC2 for Auto Mode), or a line of aws-auth where the cluster still reads it'
if [ -n "$role_arn" ] && [ -n "$url" ]; then
  entry=''
  entries=unasked
  case $mode in
    API*)
      entries=unknown
      if ask eks list-access-entries --cluster-name "$cluster" --query accessEntries; then
        entries=known
        if has_line "$answer" "$role_arn"; then entry=yes; fi
      fi
      ;;
  esac
  if [ -n "$entry" ] && ask eks describe-access-entry --cluster-name "$cluster" --principal-arn "$role_arn" --query accessEntry.type; then
    case $answer in
      EC2_LINUX | EC2_WINDOWS | EC2) ok "its access entry is of type $answer" ;;
      *) bad "the access entry of $role_arn is of type $answer, which lets no node join" ;;
    esac
  elif [ "$entries" = known ] && [ "$mode" = API ]; then
    bad "cluster $cluster has no access entry for $role_arn"
  elif [ "$mode" != API ] && [ -z "$entry" ]; then
    plain=$(printf '%s' "$role_arn" | sed 's#role/.*/#role/#')
    roles=''
    if command -v kubectl >/dev/null 2>&1; then roles=$(aws_auth); fi
    if [ -z "$roles" ]; then
      unsure "aws-auth could not be read; it needs a line with rolearn $plain and the group system:nodes, unless there is an access entry: kubectl -n kube-system get configmap aws-auth -o yaml"
    elif printf '%s\n' "$roles" | grep -F -x -q -- "$plain"; then
      ok "aws-auth names $plain"
    elif [ "$entries" = unknown ]; then
      unsure "aws-auth does not name $plain, and access entries could not be listed"
    else
      bad "neither an access entry nor aws-auth of $cluster names $plain"
    fi
  fi
else
  unsure 'the role or the cluster is not known'
fi

printf '\n%s bad, %s not sure%s\n' "$bads" "$unsures" "$named"
[ "$bads" -eq 0 ]
