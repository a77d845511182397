// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "infermeta/attention.h"
#include "infermeta/backward.h"
#include "infermeta/backward_linalg.h"
#include "infermeta/binary.h"
#include "infermeta/conv_transpose.h"
#include "infermeta/creation.h"
#include "infermeta/interpolate.h"
#include "infermeta/manipulation.h"
#include "infermeta/merged_optimizer.h"
#include "infermeta/multiary.h"
#include "infermeta/nullary.h"
#include "infermeta/reduction.h"
#include "infermeta/ternary.h"
#include "infermeta/ternary_linalg.h"
#include "infermeta/unary.h"
#include "infermeta/unary_view.h"
